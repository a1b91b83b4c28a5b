import { reactive } from "vue";

/** Amounts by product. */
export const cart = reactive<Record<string, number>>({});
