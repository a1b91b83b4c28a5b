/** What an escape is tried on. */
export interface Target {
  /** A file that must not be read. */
  readonly file: string;
  /** A file that must not be written. */
  readonly written: string;
  /** A local socket that must not be reached. */
  readonly socket: string;
}

/** Reaches the process outside the scope of the code, as any object of the host allows. */
const HOST = `const process = page.constructor.constructor("return process")(); const get = (name) => process.getBuiltinModule(name); const load = get("module").createRequire(process.cwd() + "/x.js");`;

/** The code of an escape, with what it needs. */
export const escapeCode = (code: string): string => `${HOST}\n${code}`;

/** Ways out of the process that runs code. Each returns a value when it succeeds. */
export function escapes(target: Target): Record<string, string> {
  const [file, written, socket] = [target.file, target.written, target.socket].map((path) =>
    JSON.stringify(path),
  ) as [string, string, string];
  return {
    ...programs(file),
    ...reading(file),
    ...writing(written),
    ...natives(file, written),
    ...modules(file),
    ...otherProcesses(socket),
    ...browserFiles(file, written),
  };
}

const programs = (file: string): Record<string, string> => ({
  "child_process.execSync": `return String(get("child_process").execSync("id"))`,
  "child_process.spawnSync": `const r = get("child_process").spawnSync("id"); if (r.error) throw r.error; return "ran"`,
  "the class ChildProcess": `const c = new (get("child_process").ChildProcess)(); const e = c.spawn({ file: "/usr/bin/id", args: ["id"], envPairs: [], stdio: "ignore" }); if (e) throw new Error("no"); return "ran"`,
  "cluster.fork": `get("cluster").setupPrimary({ exec: ${file} }); get("cluster").fork(); return "forked"`,
  "a worker thread": `return new (get("worker_threads").Worker)("1", { eval: true }).threadId`,
  "process.execve": `process.execve("/usr/bin/id", ["id"], {}); return "replaced"`,
  "another browser": `return (await browser.browserType().launch({ executablePath: "/usr/bin/chromium" })).version()`,
});

const reading = (file: string): Record<string, string> => ({
  "fs.readFileSync": `return get("fs").readFileSync(${file}, "utf8")`,
  "fs.promises.readFile": `return get("fs").promises.readFile(${file}, "utf8")`,
  "fs.createReadStream": `let t = ""; for await (const c of get("fs").createReadStream(${file})) t += c; return t`,
  "fs.openAsBlob": `return (await get("fs").openAsBlob(${file})).text()`,
  "a path as bytes": `return get("fs").readFileSync(Buffer.from(${file}), "utf8")`,
  "a path as URL": `return get("fs").readFileSync(new URL("file://" + ${file}), "utf8")`,
  "a path out of the scratch folder": `return get("fs").readFileSync(process.cwd() + "/../".repeat(20) + ${file}, "utf8")`,
  "fs.copyFileSync": `get("fs").copyFileSync(${file}, "copy"); return get("fs").readFileSync("copy", "utf8")`,
  "fs.cpSync": `get("fs").cpSync(${file}, "copy"); return get("fs").readFileSync("copy", "utf8")`,
  "a hard link": `get("fs").linkSync(${file}, "link"); return get("fs").readFileSync("link", "utf8")`,
  "a symbolic link": `get("fs").symlinkSync(${file}, "link"); return get("fs").readFileSync("link", "utf8")`,
  "a link to a folder": `get("fs").symlinkSync("/", "root"); return get("fs").readFileSync("root" + ${file}, "utf8")`,
  "a file that is moved": `get("fs").renameSync(${file}, "moved"); return "moved"`,
  "the names in a folder": `return get("fs").readdirSync(get("path").dirname(${file}))`,
  "another working folder": `process.chdir(get("path").dirname(${file})); return get("fs").readFileSync(get("path").basename(${file}), "utf8")`,
  "/proc/self/root": `return get("fs").readFileSync("/proc/self/root" + ${file}, "utf8")`,
  "/proc/self/environ": `return get("fs").readFileSync("/proc/self/environ", "utf8")`,
  "the environment of the parent": `return get("fs").readFileSync("/proc/" + process.ppid + "/environ", "utf8")`,
  "the memory of the parent": `return get("fs").openSync("/proc/" + process.ppid + "/mem", "r+")`,
  "the descriptors of the parent": `return get("fs").openSync("/proc/" + process.ppid + "/fd/0", "r")`,
  "fetch of a file": `const fetch = page.constructor.constructor("return fetch")(); return (await fetch("file://" + ${file})).text()`,
});

const writing = (file: string): Record<string, string> => ({
  "fs.writeFileSync": `get("fs").writeFileSync(${file}, "x"); return "written"`,
  "a report of Node": `process.report.writeReport(${file}); return "written"`,
  "a heap snapshot": `return get("v8").writeHeapSnapshot(${file})`,
  "flags of V8": `get("v8").setFlagsFromString("--logfile=" + ${file}); return "set"`,
  "a trace": `get("trace_events").createTracing({ categories: ["node"] }).enable(); return "on"`,
  "a screenshot elsewhere": `await page.screenshot({ path: ${file} }); return "written"`,
});

const natives = (file: string, written: string): Record<string, string> => ({
  "process.binding": `return Object.keys(process.binding("fs"))`,
  "process._linkedBinding": `return process._linkedBinding("fs")`,
  "process.dlopen": `process.dlopen({ exports: {} }, ${file}); return "loaded"`,
  "a native add-on": `get("fs").writeFileSync("x.node", ""); return load("./x.node")`,
  "an OpenSSL engine": `get("crypto").setEngine(${file}); return "set"`,
  "an engine of a TLS context": `get("tls").createSecureContext({ privateKeyEngine: ${file}, privateKeyIdentifier: "a" }); return "set"`,
  WASI: `return new (get("wasi").WASI)({ version: "preview1", preopens: { "/": "/" } })`,
  "a database": `const db = new (get("node:sqlite").DatabaseSync)(":memory:"); db.exec("ATTACH '" + ${written} + "' AS x; CREATE TABLE x.t (a)"); return "attached"`,
});

const modules = (file: string): Record<string, string> => ({
  "a loader in its own thread": `get("module").register("data:text/javascript,export default 1"); return "registered"`,
  "import of an absolute path": `return page.constructor.constructor("return import(" + JSON.stringify(${file}) + ")")()`,
  "require of an absolute path": `return load(${file})`,
  "a module made of text": `const code = "import fs from 'node:fs'; export default fs.readFileSync(" + JSON.stringify(${file}) + ", 'utf8')"; const m = await page.constructor.constructor("c", "return import('data:text/javascript,' + encodeURIComponent(c))")(code); return m.default`,
});

const otherProcesses = (socket: string): Record<string, string> => ({
  "inspector.open": `get("inspector").open(0, "127.0.0.1"); return get("inspector").url()`,
  "inspector.Session": `new (get("inspector").Session)().connect(); return "connected"`,
  "process.kill": `process.kill(process.ppid, "SIGKILL"); return "killed"`,
  "process._kill": `return process._kill(process.ppid, 9)`,
  "process._debugProcess": `process._debugProcess(process.ppid); return "debugging"`,
  "a copy of the process object": `const other = Object.create(process); delete other.kill; other.kill(process.ppid, 0); return "signalled"`,
  "os.setPriority": `get("os").setPriority(process.ppid, 19); return "slowed"`,
  "a local socket": `return new Promise((resolve, reject) => get("net").connect({ path: ${socket} }).on("connect", () => resolve("connected")).on("error", reject))`,
  "a local socket over HTTP": `return new Promise((resolve, reject) => get("http").get({ socketPath: ${socket} }, () => resolve("answered")).on("error", reject))`,
  "a local server": `return new Promise((resolve, reject) => get("net").createServer().on("error", reject).listen(process.cwd() + "/s", () => resolve("listening")))`,
  "the class of a pipe": `const pipe = process._getActiveHandles().find((h) => h._handle?.constructor.name === "Pipe"); const socket = new (get("net").Socket)({ handle: new pipe._handle.constructor(0) }); return new Promise((resolve, reject) => socket.on("error", reject).connect({ path: ${socket} }, () => resolve("connected")))`,
});

const FILE_INPUT = `await page.setContent("<input type=file>"); const text = () => page.evaluate(() => document.querySelector("input").files[0].text());`;

const browserFiles = (file: string, written: string): Record<string, string> => ({
  "a page of a file": `await page.goto("file://" + ${file}); return page.content()`,
  "the source of a file": `await page.goto("view-source:file://" + ${file}); return page.content()`,
  "a tab of a file": `const cdp = await browser.newBrowserCDPSession(); await cdp.send("Target.createTarget", { url: "file://" + ${file} }); return "open"`,
  "a page of Chrome": `await page.goto("chrome://settings/"); return page.content()`,
  "a file for an input": `${FILE_INPUT} await page.setInputFiles("input", ${file}); return text()`,
  "a file for an input over CDP": `${FILE_INPUT} const cdp = await context.newCDPSession(page); const { root } = await cdp.send("DOM.getDocument"); const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector: "input" }); await cdp.send("DOM.setFileInputFiles", { nodeId, files: [${file}] }); return text()`,
  "a dragged file": `const cdp = await context.newCDPSession(page); await cdp.send("Input.dispatchDragEvent", { type: "drop", x: 1, y: 1, data: { items: [], files: [${file}], dragOperationsMask: 1 } }); return "dropped"`,
  "downloads elsewhere": `const cdp = await browser.newBrowserCDPSession(); await cdp.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: get("path").dirname(${written}) }); return "set"`,
  "a resource of a file": `const cdp = await context.newCDPSession(page); const { frameTree } = await cdp.send("Page.getFrameTree"); const { resource } = await cdp.send("Network.loadNetworkResource", { frameId: frameTree.frame.id, url: "file://" + ${file}, options: { disableCache: true, includeCredentials: false } }); if (!resource.success) throw new Error("no"); return "loaded"`,
  "an extension": `const cdp = await browser.newBrowserCDPSession(); return cdp.send("Extensions.loadUnpacked", { path: get("path").dirname(${file}) })`,
  "CDP in a page": `const cdp = await browser.newBrowserCDPSession(); const { targetInfos } = await cdp.send("Target.getTargets"); await cdp.send("Target.exposeDevToolsProtocol", { targetId: targetInfos[0].targetId }); return "exposed"`,
});
