# Records a hook of an agent that nothing can stop, without the start of Node: writes the hook's input to the spool,
# which is read later. In all other cases it runs its arguments, the command that answers the hook.
hooks="${DEBUG_BRIDGE_HOME:-$HOME/.debug-bridge}/debug/hooks"
# A link to the session of the agent, which is the parent of this shell.
session="$hooks/quiet/$PPID"
has_room() { [ $# -lt 512 ]; }
if [ -f "$session/quiet" ] && ! [ "$session/commands.jsonl" -nt "$session/quiet" ] && has_room "$hooks"/spool/*; then
  umask 077
  set -C
  # Fails before it reads anything if the file exists.
  if cat >"$hooks/spool/$PPID.$$"; then
    echo "$PPID.$$" >>"$hooks/spool/order"
    exit 0
  fi
fi 2>/dev/null
exec "$@"
