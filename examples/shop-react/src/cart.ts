import { create } from "zustand";

interface Cart {
  readonly lines: Readonly<Record<string, number>>;
  add(sku: string): void;
  empty(): void;
}

export const useCart = create<Cart>()((set) => ({
  lines: {},
  add: (sku) => set(({ lines }) => ({ lines: { ...lines, [sku]: (lines[sku] ?? 0) + 1 } })),
  empty: () => set({ lines: {} }),
}));
