import { expect, it } from "vitest";
import { isDevServerTraffic } from "./dev-server-traffic.js";

const network = (url: string) => isDevServerTraffic({ type: "network", data: { url } });

it.each([
  "ws://localhost:5173/?token=x1",
  "ws://localhost:3000/_nuxt/?token=x1",
  "ws://localhost:3000/_next/webpack-hmr?id=1",
  "http://localhost:5173/@vite/client",
  "http://localhost:3000/__nextjs_original-stack-frames",
  "http://localhost:8080/main.0a1b.hot-update.json",
])("hot reload is the traffic of a development server: %s", (url) => {
  expect(network(url)).toBe(true);
});

it.each([
  "ws://localhost:5173/socket?token=x1",
  "ws://localhost:5173/?token=x1&room=2",
  "http://localhost:5173/?token=x1",
  "http://localhost:5173/api/next",
  "http://localhost:5173/hot-update",
  "not a URL",
])("requests of the app are not: %s", (url) => {
  expect(network(url)).toBe(false);
});

it("errors are not, wherever they are from", () => {
  expect(isDevServerTraffic({ type: "error", data: { url: "http://localhost:5173/@vite/client" } })).toBe(
    false,
  );
});
