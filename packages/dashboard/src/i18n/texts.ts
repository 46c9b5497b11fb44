import type alerts from '@florin/contract/alert-messages/texts/en.json';
import type details from '@florin/contract/error-details/texts/en.json';
import type { EventCode } from '@florin/contract/triggers/recipes.ts';
import type common from './en/common.json';
import type events from './en/events.json';
import type help from './en/help.json';
import type names from './en/names.json';
import type palette from './en/palette.json';
import type problems from './en/problems.json';
import type processorFields from './en/processor-fields.json';
import type records from './en/records.json';
import type { Language } from './languages.ts';

/** Texts with one for each event: a code without a text does not compile. */
type Complete<EventTexts extends Readonly<Record<EventCode, string>>> = EventTexts;

/** Keys of each set of texts. A folder of pages declares its own set in its `routes.ts`. */
export interface Namespaces {
  readonly alerts: typeof alerts;
  readonly common: typeof common;
  readonly details: typeof details;
  readonly events: Complete<typeof events>;
  readonly help: typeof help;
  readonly names: typeof names;
  readonly palette: typeof palette;
  readonly problems: typeof problems;
  readonly 'processor-fields': typeof processorFields;
  readonly records: typeof records;
}

export type Namespace = keyof Namespaces;
export type Texts = Readonly<Record<string, string>>;

/** Folders of texts in the contract: messages of alerts, which emails have too, and details of errors. */
const contractFolders: Readonly<Partial<Record<Namespace, string>>> = {
  alerts: '../../../contract/src/alert-messages/texts',
  details: '../../../contract/src/error-details/texts',
};
const files = import.meta.glob<Texts>(
  [
    './*/*.json',
    '../pages/*/texts/*.json',
    '../../../contract/src/alert-messages/texts/*.json',
    '../../../contract/src/error-details/texts/*.json',
  ],
  { import: 'default' },
);
const loadedTexts = new Map<string, Promise<Texts>>();
const failedKeys = new Set<string>();

/** Loads one set of texts in a language. Later calls return the same promise: a component would load for ever. */
export function loadTexts(language: Language, namespace: Namespace): Promise<Texts> {
  const key = `${language}/${namespace}`;
  const cachedTexts = loadedTexts.get(key);
  if (cachedTexts) return cachedTexts;
  const file =
    files[`./${language}/${namespace}.json`] ??
    files[`../pages/${namespace}/texts/${language}.json`] ??
    files[`${contractFolders[namespace]}/${language}.json`];
  const loading = file?.() ?? Promise.resolve({});
  loadedTexts.set(key, loading);
  // The component that needs the texts reports a failure.
  void loading.then(
    (value) => markLoaded(loading, value),
    () => failedKeys.add(key),
  );
  return loading;
}

/** Loads one set of texts as `loadTexts` does, and again if it failed before. Not for components that render. */
export function loadTextsAgain(language: Language, namespace: Namespace): Promise<Texts> {
  const key = `${language}/${namespace}`;
  if (failedKeys.delete(key)) loadedTexts.delete(key);
  return loadTexts(language, namespace);
}

/** React's `use` returns the value of a promise with these members without suspending. */
const markLoaded = (loading: Promise<Texts>, value: Texts): unknown =>
  Object.assign(loading, { status: 'fulfilled', value });
