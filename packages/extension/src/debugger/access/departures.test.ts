import { describe, expect, it } from "vitest";
import { Departures } from "./departures.js";

const navigated = (url: string, parentId?: string) => ({ frame: { id: "f", url, parentId } });

describe("a tab that is locked to a site", () => {
  it("has left it when its main frame shows another site", () => {
    const departures = new Departures();
    const left = (params: object): boolean =>
      departures.isDeparture(1, "Page.frameNavigated", params, "shop.test");
    expect(left(navigated("http://bank.test/"))).toBe(true);
    expect(left(navigated("file:///etc/passwd"))).toBe(true);
    expect(left(navigated("http://www.shop.test/"))).toBe(false);
    expect(left(navigated("about:blank"))).toBe(false);
    expect(left(navigated("http://bank.test/", "parent"))).toBe(false);
  });

  it("is sent away by the person when neither its page nor a client did it", () => {
    let now = 100_000;
    const departures = new Departures(() => now);
    expect(departures.isByPerson(1)).toBe(true);
    departures.onCommand(1);
    expect(departures.isByPerson(1)).toBe(false);
    now += 3_001;
    expect(departures.isByPerson(1)).toBe(true);
    departures.isDeparture(1, "Page.frameRequestedNavigation", {}, "shop.test");
    now += 5_000;
    expect(departures.isByPerson(1)).toBe(false);
    now += 5_001;
    expect(departures.isByPerson(1)).toBe(true);
    expect(departures.isByPerson(2)).toBe(true);
  });
});
