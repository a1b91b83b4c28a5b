import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type FormEvent, type ReactNode, useState } from "react";
import { type Price, plainModel } from "../agent/model-prices.js";
import { setPrice, usePrices } from "../agent/set-prices.js";

const PARTS = [
  ["input", "Input"],
  ["output", "Output"],
  ["cacheRead", "From the cache"],
  ["cacheWrite", "To the cache"],
] as const;

/** The prices of models. Prices change, and depend on the contract, so the person sets them. */
export function PriceTable(): ReactNode {
  const prices = usePrices();
  return (
    <section aria-labelledby="prices">
      <h3 id="prices">Model prices</h3>
      <p className="quiet">
        US dollars for a million tokens. Runs of these models show their cost; the prices are those that you
        set here, and are kept in this browser.
      </p>
      {prices.size > 0 && (
        <div className="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Model</th>
                {PARTS.map(([part, name]) => (
                  <th key={part} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">
                  <span className="hidden-text">Change</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {[...prices].map(([model, price]) => (
                <tr key={model}>
                  <td>{visibleText(model)}</td>
                  {PARTS.map(([part]) => (
                    <td key={part}>{price[part]}</td>
                  ))}
                  <td>
                    <button type="button" onClick={() => setPrice(model, undefined)}>
                      Remove
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <PriceForm />
    </section>
  );
}

function PriceForm(): ReactNode {
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const text = (name: string): string => String(given.get(name) ?? "").trim();
    const model = plainModel(text("model"));
    const amount = (part: string): number => Number(text(part) || text("input"));
    const price: Price = {
      ...{ input: amount("input"), output: amount("output") },
      ...{ cacheRead: amount("cacheRead"), cacheWrite: amount("cacheWrite") },
    };
    const isComplete = model !== "" && text("input") !== "" && text("output") !== "";
    if (!isComplete || Object.values(price).some((value) => !(value >= 0 && value < 1_000_000))) {
      setProblem("Enter the name of a model and its prices of input and output, such as 1.25.");
      return;
    }
    setProblem(undefined);
    setPrice(model, price);
    form.reset();
  };
  return (
    <form className="price-form" onSubmit={submit} noValidate>
      <label>
        Model
        <input name="model" autoComplete="off" spellCheck={false} maxLength={100} />
      </label>
      {PARTS.map(([part, name]) => (
        <label key={part}>
          {name}
          <input
            name={part}
            inputMode="decimal"
            autoComplete="off"
            placeholder={part.startsWith("cache") ? "as input" : undefined}
          />
        </label>
      ))}
      <button type="submit">Set the price</button>
      {problem !== undefined && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
