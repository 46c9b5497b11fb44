import { alpha2Codes } from '@florin/contract/countries.ts';
import type { BillingAddress } from '@florin/contract/protocol/frame.ts';
import type { Texts } from '../texts.ts';
import { element } from './element.ts';
import { type Control, createField, type Field } from './field.ts';
import { createSection, type Problems, type Section } from './section.ts';

type AddressFieldName = keyof BillingAddress;

/** Within the limits of the `consumer_addresses` definition, which may be wider. */
const LENGTH_MAX = 100;
const ZIP_LENGTH_MAX = 20;

/** Countries whose addresses need a state or province. */
const WITH_STATE = new Set(['US', 'CA', 'AU', 'BR', 'CN', 'IN', 'MX']);
/** Countries without postal codes. */
const WITHOUT_ZIP = new Set(
  'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GH GM GQ GY HK KI KM KN KP LC ML MO MR MS MW NR NU QA RW SB SC SL SR ST SY TD TF TG TK TL TO TT TV UG VU YE ZW'.split(
    ' ',
  ),
);

export interface AddressSection extends Section {
  readonly address: () => BillingAddress;
}

export interface AddressSectionOptions {
  readonly text: Texts;
  readonly locale: string;
  readonly onEdit: () => void;
}

/** Creates the billing address, with fields that depend on the country. */
export function createAddressSection(options: AddressSectionOptions): AddressSection {
  const { text, locale, onEdit } = options;
  const fields = createFields(
    { text, locale, country: countryHere() },
    (name) => edited(name),
    (name) => on.left(name),
  );
  const { country, line_1, city, state, zip } = fields;
  const { section, ...on } = createSection<AddressFieldName>({
    root: element(
      'fieldset',
      { class: 'section' },
      element('legend', {}, text('billing')),
      country.root,
      line_1.root,
      element('div', { class: 'row' }, zip.root, city.root),
      state.root,
    ),
    fields,
    text,
    problems: () => problemsOf(address()),
  });
  const address = (): BillingAddress => {
    const value = (name: AddressFieldName) => fields[name].control.value.trim();
    return {
      line_1: value('line_1'),
      city: value('city'),
      state: state.root.hidden ? '' : value('state'),
      zip: zip.root.hidden ? '' : value('zip'),
      country: value('country'),
    };
  };

  function edited(name: AddressFieldName): void {
    if (name === 'country') fitCountry();
    on.edited(name);
    onEdit();
  }

  function fitCountry(): void {
    state.root.hidden = !WITH_STATE.has(country.control.value);
    zip.root.hidden = WITHOUT_ZIP.has(country.control.value);
  }

  fitCountry();
  return { ...section, address };
}

function problemsOf(address: BillingAddress): Problems<AddressFieldName> {
  const needed = {
    country: true,
    line_1: true,
    zip: !WITHOUT_ZIP.has(address.country),
    city: true,
    state: WITH_STATE.has(address.country),
  };
  const names = (Object.keys(needed) as AddressFieldName[]).filter((name) => needed[name]);
  const missing = names.filter((name) => address[name] === '');
  return Object.fromEntries(missing.map((name) => [name, 'missing']));
}

function createFields(
  { text, locale, country }: { text: Texts; locale: string; country: string },
  edited: (name: AddressFieldName) => void,
  left: (name: AddressFieldName) => void,
): Record<AddressFieldName, Field> {
  const make = (name: AddressFieldName, control: Control) =>
    createField({
      name,
      label: text(name),
      control,
      onEdit: () => edited(name),
      onLeave: () => left(name),
    });
  return {
    country: make('country', countrySelect(locale, country)),
    line_1: make('line_1', textInput('billing address-line1', LENGTH_MAX)),
    zip: make('zip', textInput('billing postal-code', ZIP_LENGTH_MAX)),
    city: make('city', textInput('billing address-level2', LENGTH_MAX)),
    state: make('state', textInput('billing address-level1', LENGTH_MAX)),
  };
}

const textInput = (autocomplete: string, maxlength: number): HTMLInputElement =>
  element('input', {
    autocomplete,
    type: 'text',
    dir: 'auto',
    maxlength: String(maxlength),
    'aria-required': 'true',
  });

function countrySelect(locale: string, selected: string): HTMLSelectElement {
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const named = alpha2Codes.map((code) => ({ code, name: names.of(code) ?? code }));
  const { compare } = new Intl.Collator(locale);
  const select = element('select', { autocomplete: 'billing country', 'aria-required': 'true' });
  for (const { code, name } of named.sort((a, b) => compare(a.name, b.name))) {
    select.append(element('option', { value: code }, name));
  }
  select.value = selected;
  return select;
}

/** Initial country, derived from the browser's language. */
const countryHere = (): string => new Intl.Locale(navigator.language).maximize().region ?? 'US';
