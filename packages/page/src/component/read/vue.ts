import { reactiveTarget } from "../../inert/serialize/reactive.js";
import { nameOfFile } from "../../source/frameworks/forms.js";
import { filled, isObject, MAX_COMPONENTS, type Member, membersOf, type ReadComponent } from "./parts.js";

interface Instance {
  readonly type?: { readonly __file?: string; readonly __name?: string; readonly name?: string };
  readonly props?: object;
  readonly data?: object;
  readonly setupState?: object;
  /** In development: the same without the proxy that reads refs. */
  readonly devtoolsRawSetupState?: object;
  readonly parent?: Instance | null;
}

/** The components around an element of Vue 3. */
export function componentsOfVue(element: Element): readonly ReadComponent[] | undefined {
  const { __vueParentComponent: inner } = element as unknown as { __vueParentComponent?: Instance };
  if (!isObject(inner)) return undefined;
  const found: ReadComponent[] = [];
  for (let at: Instance | null | undefined = inner; at && found.length < MAX_COMPONENTS; at = at.parent)
    found.push(ofInstance(at));
  return found;
}

function ofInstance(instance: Instance): ReadComponent {
  const { type = {}, props, data, setupState, devtoolsRawSetupState } = instance;
  const setup = membersOf(raw(devtoolsRawSetupState ?? setupState)).filter(([, value]) => isState(value));
  return {
    name: type.name ?? type.__name ?? nameOfFile(type.__file ?? ""),
    parts: filled([
      ["props", membersOf(raw(props))],
      ["state", [...membersOf(raw(data)), ...setup].map(([name, value]): Member => [name, unwrapped(value)])],
    ]),
  };
}

/** Values are read from behind Vue's proxies: reading through them could make the app render again. */
const raw = (value: unknown): unknown => (isObject(value) ? (reactiveTarget(value) ?? value) : value);

/** What a script sets up includes its functions, and the components that it imports. */
const isState = (value: unknown): boolean =>
  typeof value !== "function" &&
  !(isObject(value) && ["__file", "setup", "render", "__vccOpts"].some((key) => Object.hasOwn(value, key)));

/** What is in a ref. A computed value is not read, because that may run code of the app. */
function unwrapped(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, "__v_isRef")) return refOfClass(value);
  return refValue(value);
}

/** Some versions have the mark of a ref on its class. */
function refOfClass(value: unknown): unknown {
  const isRef = isObject(value) && !reactiveTarget(value) && (value as { __v_isRef?: unknown }).__v_isRef;
  return isRef === true ? refValue(value) : value;
}

function refValue(ref: object): unknown {
  const { _rawValue, _object, _key } = ref as { _rawValue?: unknown; _object?: object; _key?: string };
  if (Object.hasOwn(ref, "_rawValue")) return _rawValue;
  if (isObject(_object) && _key !== undefined)
    return unwrapped((raw(_object) as Record<string, unknown>)[_key]);
  return "(computed: not read)";
}
