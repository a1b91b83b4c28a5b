import { useEffect, useState } from "react";
import { useCart } from "./cart.js";
import { Checkout } from "./checkout.js";

interface Product {
  readonly sku: string;
  readonly name: string;
  readonly price: number;
}

/** The path of the page, kept in step with the address bar. */
function usePath(): [string, (path: string) => void] {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const follow = () => setPath(location.pathname);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  return [
    path,
    (next) => {
      history.pushState(null, "", next);
      setPath(next);
    },
  ];
}

export function Shop() {
  const [path, go] = usePath();
  return (
    <>
      <nav>
        {["/", "/checkout"].map((to) => (
          <a
            key={to}
            href={to}
            onClick={(event) => {
              event.preventDefault();
              go(to);
            }}
          >
            {to === "/" ? "Products" : "Checkout"}
          </a>
        ))}
      </nav>
      <main>{path === "/checkout" ? <Checkout /> : <Products />}</main>
    </>
  );
}

function Products() {
  const [products, setProducts] = useState<Product[]>([]);
  const { lines, add } = useCart();
  useEffect(() => {
    fetch("/api/products")
      .then((response) => response.json())
      .then(setProducts);
  }, []);
  return (
    <>
      <h1>Products</h1>
      <ul>
        {products.map(({ sku, name, price }) => (
          <li key={sku}>
            {name}, {price.toFixed(2)} €, {lines[sku] ?? 0} in the cart{" "}
            <button type="button" data-testid={`add-${sku}`} onClick={() => add(sku)}>
              Add {name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
