/**
 * The shop's server, as a plugin of Vite's: two products, and orders. It is strict about orders, as servers are: each
 * line needs a whole `quantity`. Both shops send `qty` instead, and thank the customer all the same: the planted bug.
 */
const PRODUCTS = [
  { sku: "tea", name: "Green tea", price: 4.5 },
  { sku: "honey", name: "Linden honey", price: 7.9 },
];

function answer(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function readJson(request) {
  let text = "";
  for await (const part of request) text += part;
  return JSON.parse(text);
}

export function shopApi() {
  return {
    name: "shop-api",
    configureServer(server) {
      server.middlewares.use("/api/products", (_request, response) => answer(response, 200, PRODUCTS));
      server.middlewares.use("/api/orders", async (request, response) => {
        const { lines = [] } = await readJson(request);
        const wrong = lines.findIndex(({ quantity }) => !Number.isInteger(quantity));
        if (wrong === -1) answer(response, 201, { id: 4711 });
        else answer(response, 422, { error: `lines[${wrong}].quantity is missing` });
      });
    },
  };
}
