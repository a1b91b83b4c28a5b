/** The parts of Node and of its requests that are used here: types of Node are not a dependency of a package for browsers. */
interface NodeFiles {
  readFile(path: URL): Promise<Uint8Array>;
  stat(path: URL): Promise<{ readonly mtimeMs: number; readonly size: number }>;
}

interface Request {
  readonly url?: string;
  readonly method?: string;
}

interface Response {
  writeHead(status: number, headers: Record<string, string>): void;
  end(body?: string | Uint8Array): void;
}

/** A function of the chain that a development server asks about each request. */
export type Middleware = (request: Request, response: Response, next: (error?: unknown) => void) => void;

/** Where the SDK was built, for pages that load it as it is. */
const FOLDER = new URL("../../page/", import.meta.url);
const SDK = new URL("sdk.js", FOLDER);
/** The SDK as a file that bundlers read, with slashes on Windows too. */
export const SDK_FILE = decodeURIComponent(SDK.pathname).replace(/^\/(?=[a-zA-Z]:\/)/, "");
/** Below the base of the development server. */
const PREFIX = "@debug-bridge/";
export const PAGE_PATH = `${PREFIX}page.js`;
const PATHS = /\/@debug-bridge\/(?:(page\.js)|([\w-]+)\/([\w-]+\.js(?:\.map)?))(?:\?|$)/;

const nodeFiles = async (): Promise<NodeFiles> =>
  (await import("node:fs/promises" as string)) as unknown as NodeFiles;

/** The path of the SDK below the base. It is another one for each build of it, so that browsers can keep what they got. */
export async function sdkPath(): Promise<string> {
  const { mtimeMs, size } = await (await nodeFiles()).stat(SDK);
  return `${PREFIX}${Math.round(mtimeMs).toString(36)}-${size.toString(36)}/sdk.js`;
}

/** Sends pages the module that connects them and the SDK, past the server, which would look for dependencies in them and build them. */
export function servePage(pageCode: () => Promise<string>): Middleware {
  return (request, response, next) => {
    const [, page, , file] = PATHS.exec(request.url ?? "") ?? [];
    if (page === undefined && file === undefined) {
      next();
      return;
    }
    const content = page === undefined ? read(file as string) : pageCode();
    content.then(
      (body) => {
        response.writeHead(200, {
          "Content-Type": file?.endsWith(".map") ? "application/json" : "text/javascript",
          "Cache-Control": page === undefined ? "max-age=31536000, immutable" : "no-cache",
        });
        response.end(request.method === "HEAD" ? undefined : body);
      },
      () => next(),
    );
  };
}

const read = async (file: string): Promise<Uint8Array> => (await nodeFiles()).readFile(new URL(file, FOLDER));
