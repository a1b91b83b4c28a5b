/** The installed Chromium, without a window and without background traffic. */
export const CHROMIUM = {
  executablePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
  args: [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    // The drop-down of the address bar, a page of its own in every window, takes more time than most pages measured here.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
  ],
};
