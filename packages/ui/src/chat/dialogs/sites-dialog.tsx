import type { ChatApprovals } from "@debug-bridge/protocol";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "../../components/icon-button.js";
import { Modal } from "../../components/modal.js";
import type { ChatClient } from "../../hub/chat-client.js";
import { exactTime, timeAgo } from "../../text/time.js";
import { visibleText } from "../../text/visible-text.js";

interface Props {
  readonly client: ChatClient;
  onClose(): void;
}

/** The sites for which the person said "always": seen and removed. */
export function SitesDialog({ client, onClose }: Props): ReactNode {
  const [sites, setSites] = useState<ChatApprovals["approvals"]>();
  const [problem, setProblem] = useState<string>();
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    client.approvals().then(setSites, (thrown: Error) => setProblem(thrown.message));
  }, [client]);
  const remove = async (origin: string): Promise<void> => {
    setProblem(undefined);
    try {
      await client.removeApproval(origin);
    } catch (thrown) {
      setProblem((thrown as Error).message);
    }
    // Another window may have removed one, too.
    await client.approvals().then(setSites, () => {});
    // The button is gone; the focus must not be.
    content.current?.focus();
  };
  return (
    <Modal className="settings" title="Sites where agents may act" onClose={onClose}>
      <div className="content" ref={content} tabIndex={-1}>
        <p className="quiet">
          {sites?.length === 0
            ? "None. An agent asks before it acts on a site; the sites for which you answer “Always on this site” are listed here."
            : "Agents of all chats act on these sites without asking. After you remove one, they ask again."}
        </p>
        {problem !== undefined && (
          <p className="problem" role="alert" dir="auto">
            {visibleText(problem)}
          </p>
        )}
        {sites && sites.length > 0 && (
          <ul aria-label="Sites">
            {sites.map(({ origin, at }) => (
              <li key={origin}>
                <code dir="ltr">{visibleText(origin)}</code>
                <time className="quiet" dateTime={at} title={exactTime(at)}>
                  {timeAgo(at)}
                </time>
                <IconButton
                  label={`Remove ${visibleText(origin)}`}
                  onClick={() => void remove(origin)}
                  icon={<X aria-hidden />}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Modal>
  );
}
