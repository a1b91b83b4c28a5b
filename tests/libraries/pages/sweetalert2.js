import Swal from "sweetalert2";
import { app, say } from "../page.js";

app.innerHTML = "<button>Delete</button>";
app.firstElementChild.addEventListener("click", async () => {
  const { isConfirmed } = await Swal.fire({
    title: "Delete the file?",
    text: "This is final.",
    showCancelButton: true,
  });
  say(isConfirmed ? "deleted" : "kept");
});
