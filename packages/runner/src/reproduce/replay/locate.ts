import type { Locator as RecordedLocator } from "@debug-bridge/protocol";
import type { Locator, Page } from "playwright-core";

type Role = Parameters<Page["getByRole"]>[0];

/** A recorded way to find an element, as a locator of Playwright. */
export function locatorFor(page: Page, recorded: RecordedLocator): Locator {
  const { inside, nth } = recorded;
  const around = inside ? page.getByRole(inside.role as Role).filter({ hasText: inside.text }) : page;
  const found = base(around, recorded);
  return nth === undefined ? found : found.nth(nth);
}

function base(around: Page | Locator, { by, value, role, attribute }: RecordedLocator): Locator {
  switch (by) {
    case "testid":
      return attribute === undefined
        ? around.getByTestId(value)
        : around.locator(`[${attribute}=${JSON.stringify(value)}]`);
    case "role":
      return around.getByRole(role as Role, { name: value, exact: true });
    case "label":
      return around.getByLabel(value, { exact: true });
    case "placeholder":
      return around.getByPlaceholder(value, { exact: true });
    case "text":
      return around.getByText(value, { exact: true });
    case "css":
      return around.locator(value);
  }
}

const text = (value: string): string => JSON.stringify(value);

/** The same as source code, as a person would write it. */
export function locatorCode({ by, value, role, attribute, inside, nth }: RecordedLocator): string {
  const around = inside
    ? `page.getByRole(${text(inside.role)}).filter({ hasText: ${text(inside.text)} })`
    : "page";
  const exact = "{ exact: true }";
  const codes = {
    testid:
      attribute === undefined
        ? `getByTestId(${text(value)})`
        : `locator(${text(`[${attribute}=${text(value)}]`)})`,
    role: `getByRole(${text(role ?? "")}, { name: ${text(value)}, exact: true })`,
    label: `getByLabel(${text(value)}, ${exact})`,
    placeholder: `getByPlaceholder(${text(value)}, ${exact})`,
    text: `getByText(${text(value)}, ${exact})`,
    css: `locator(${text(value)})`,
  };
  return `${around}.${codes[by]}${nth === undefined ? "" : `.nth(${nth})`}`;
}
