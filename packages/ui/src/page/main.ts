import { mountChat } from "../chat/mount.js";
import { tokenAccess } from "../hub/access.js";
import { readToken } from "../page-token.js";
import "../styles/chat.css";

const root = document.getElementById("root");
if (root) mountChat(root, tokenAccess(readToken()));
