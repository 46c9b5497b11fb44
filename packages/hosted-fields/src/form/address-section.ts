import { alpha2Codes, countriesWithStates, withSecondLetters } from '@florin/contract/countries.ts';
import type { BillingAddress, StateName } from '@florin/contract/protocol/frame.ts';
import type { Texts } from '../texts.ts';
import { element } from './element.ts';
import { type Control, createField, type Field } from './field.ts';
import { createSection, type Problems, type Section } from './section.ts';
import { statesOf } from './states.ts';

type AddressFieldName = keyof BillingAddress;

/** Within the limits of the `consumer_addresses` definition, which may be wider. */
const LENGTH_MAX = 100;
const ZIP_LENGTH_MAX = 20;

/** Countries without postal codes. */
const WITHOUT_ZIP = new Set(
  withSecondLetters(
    'AEGOW BFIJOSWZ CDFGIKM DJM ER FJ GADHMQY HK KIMNP LC MLORSW NRU QA RW SBCLRTY TDFGKLOTV UG VU YE ZW',
  ),
);

export interface AddressSection extends Section {
  readonly address: () => BillingAddress;
  /** Marks and focuses a field that the server refused. */
  refuse(name: AddressFieldName): void;
}

export interface AddressSectionOptions {
  readonly text: Texts;
  readonly locale: string;
  readonly onEdit: () => void;
}

/** Creates the billing address, with fields that depend on the country. */
export function createAddressSection(options: AddressSectionOptions): AddressSection {
  const { text, locale, onEdit } = options;
  const make = (name: AddressFieldName, control: Control): Field =>
    createField({
      name,
      label: text(name),
      control,
      onEdit: () => edited(name),
      onLeave: () => on.left(name),
    });
  const fields = createFields(make, locale);
  const { country, line_1, city, zip } = fields;
  const { section, ...on } = createSection<AddressFieldName>({
    root: element(
      'fieldset',
      { class: 'section' },
      element('legend', {}, text('billing')),
      country.root,
      line_1.root,
      element('div', { class: 'row' }, zip.root, city.root),
      fields.state.root,
    ),
    fields,
    text,
    problems: () => problemsOf(address()),
  });
  const address = (): BillingAddress => addressOf(fields);

  function edited(name: AddressFieldName): void {
    if (name === 'country') fitCountry();
    on.edited(name);
    onEdit();
  }

  function fitCountry(): void {
    const code = country.control.value;
    zip.root.hidden = WITHOUT_ZIP.has(code);
    fields.state.root.hidden = !countriesWithStates.has(code);
    if (fields.state.control instanceof HTMLSelectElement) {
      // The same code is another state elsewhere: AL is Alabama and Alagoas.
      fields.state.control.value = '';
      setState(stateInput());
    }
    if (countriesWithStates.has(code)) void offerStates(code);
  }

  /** Replaces the text input by a list. Without a list or an answer, the input stays. */
  async function offerStates(code: string): Promise<void> {
    const names = await statesOf(code);
    if (names.length === 0 || country.control.value !== code) return;
    const { control } = fields.state;
    control.value = codeOf(names, control.value);
    setState(stateSelect(names));
    onEdit();
  }

  function setState(control: Control): void {
    fields.state = replaceField(fields.state, make('state', control));
  }

  fitCountry();
  return {
    ...section,
    address,
    refuse(name) {
      fields[name].problem(text('error_invalid_address'));
      fields[name].control.focus();
    },
  };
}

type AddressFields = Record<AddressFieldName, Field>;

function createFields(
  make: (name: AddressFieldName, control: Control) => Field,
  locale: string,
): AddressFields {
  return {
    country: make('country', countrySelect(locale, countryHere())),
    line_1: make('line_1', textInput('billing address-line1', LENGTH_MAX)),
    zip: make('zip', textInput('billing postal-code', ZIP_LENGTH_MAX)),
    city: make('city', textInput('billing address-level2', LENGTH_MAX)),
    state: make('state', stateInput()),
  };
}

/** Hidden fields are empty. */
function addressOf(fields: AddressFields): BillingAddress {
  const textOf = ({ root, control }: Field) => (root.hidden ? '' : control.value.trim());
  return {
    line_1: textOf(fields.line_1),
    city: textOf(fields.city),
    state: textOf(fields.state),
    zip: textOf(fields.zip),
    country: textOf(fields.country),
  };
}

/** Code of a state by code or name; empty for other texts. */
function codeOf(names: readonly StateName[], typed: string): string {
  const wanted = typed.trim().toLowerCase();
  return names.find((name) => name.some((text) => text.toLowerCase() === wanted))?.[0] ?? '';
}

/** Puts a field in another one's place, with its value and focus. */
function replaceField(before: Field, after: Field): Field {
  const isFocused = document.activeElement === before.control;
  after.control.value = before.control.value;
  after.root.hidden = before.root.hidden;
  before.root.replaceWith(after.root);
  if (isFocused) after.control.focus();
  return after;
}

function problemsOf(address: BillingAddress): Problems<AddressFieldName> {
  const needed = {
    country: true,
    line_1: true,
    zip: !WITHOUT_ZIP.has(address.country),
    city: true,
    state: countriesWithStates.has(address.country),
  };
  const names = (Object.keys(needed) as AddressFieldName[]).filter((name) => needed[name]);
  const missing = names.filter((name) => address[name] === '');
  return Object.fromEntries(missing.map((name) => [name, 'missing']));
}

const textInput = (autocomplete: string, maxlength: number): HTMLInputElement =>
  element('input', {
    autocomplete,
    type: 'text',
    dir: 'auto',
    maxlength: String(maxlength),
    'aria-required': 'true',
  });

const STATE_AUTOCOMPLETE = 'billing address-level1';
const stateInput = (): HTMLInputElement => textInput(STATE_AUTOCOMPLETE, LENGTH_MAX);
const stateSelect = (names: readonly StateName[]): HTMLSelectElement =>
  selectOf(STATE_AUTOCOMPLETE, [['', ''], ...names]);

function countrySelect(locale: string, selected: string): HTMLSelectElement {
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  const named = alpha2Codes.map((code) => [code, names.of(code) ?? code] as const);
  const select = selectOf(
    'billing country',
    named.sort(([, a], [, b]) => compare(a, b)),
  );
  select.value = selected;
  return select;
}

const selectOf = (
  autocomplete: string,
  choices: readonly (readonly [value: string, name: string])[],
): HTMLSelectElement =>
  element(
    'select',
    { autocomplete, 'aria-required': 'true' },
    ...choices.map(([value, name]) => element('option', { value }, name)),
  );

/** Initial country, derived from the browser's language. */
const countryHere = (): string => new Intl.Locale(navigator.language).maximize().region ?? 'US';
