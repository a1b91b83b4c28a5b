import { expect, it } from "vitest";
import { changedNodes } from "./changed-nodes.js";

const incremental = (data: object): object => ({ type: 3, data, timestamp: 1 });

it("names what was added, removed, changed and filled in, each once", () => {
  const events = [
    incremental({
      source: 0,
      removes: [{ parentId: 1, id: 2 }],
      adds: [{ parentId: 1, nextId: null, node: { type: 2, id: 3 } }],
      texts: [{ id: 4, value: "x" }],
      attributes: [{ id: 5, attributes: { class: "a" } }],
    }),
    incremental({ source: 5, id: 6, text: "", isChecked: true }),
    incremental({ source: 0, texts: [{ id: 4, value: "y" }] }),
  ];
  expect(changedNodes(events)).toEqual([2, 4, 5, 3, 6]);
});

it("leaves out what moved without a change, and what makes no sense", () => {
  const scroll = incremental({ source: 3, id: 7, x: 0, y: 9 });
  expect(changedNodes([scroll, null, 5, { data: { adds: 3, texts: [null, { id: "x" }] } }])).toEqual([]);
});

it("leaves out a field that is only reported again with what it holds", () => {
  const filled = (text: string): object => incremental({ source: 5, id: 6, text, isChecked: false });
  expect(changedNodes([filled("Ada")], [filled("Ad"), filled("Ada")])).toEqual([]);
  expect(changedNodes([filled("Ada")], [filled("Ada"), filled("Ad")])).toEqual([6]);
});

it("leaves out attributes that nobody sees", () => {
  const change = (attributes: object): object =>
    incremental({ source: 0, attributes: [{ id: 8, attributes }] });
  expect(changedNodes([change({ name: null })])).toEqual([]);
  expect(changedNodes([change({ name: null, class: "wide" })])).toEqual([8]);
});
