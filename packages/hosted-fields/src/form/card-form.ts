import { type CardBrand, networkOf } from '@florin/contract/card/networks.ts';
import { type CardEntry, cvvHint, type FieldName, fieldNames, problemsOf } from './checks.ts';
import { plainDigits } from './edit.ts';
import { element } from './element.ts';
import { createField, type Field } from './field.ts';
import { cvvFormat, expiryFormat, numberFormat } from './formats.ts';

const brandNames: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  unknown: '',
};

export interface CardForm {
  readonly root: HTMLFormElement;
  readonly entry: () => CardEntry;
  readonly brand: () => CardBrand;
  readonly ready: () => boolean;
  /** The entry where it can be sent; otherwise shows every problem, moves to the first, and gives undefined. */
  submit(): CardEntry | undefined;
  /** Says something about the card as a whole; an empty text takes it back. */
  announce(text: string): void;
  /** While busy nothing can be typed, yet focus stays where it is. */
  busy(on: boolean): void;
  forgetCvv(): void;
}

export interface CardFormOptions {
  readonly now: () => Date;
  readonly onEdit: () => void;
}

/** Number, expiry and verification value in one form, so that browsers can fill a card. */
export function createCardForm({ now, onEdit }: CardFormOptions): CardForm {
  const fields = createFields(
    (name) => edited(name),
    (name) => left(name),
  );
  const notice = element('p', { class: 'notice', role: 'alert' });
  const entry = (): CardEntry => ({
    number: plainDigits(fields.number.input.value),
    expiry: fields.expiry.input.value,
    cvv: fields.cvv.input.value,
  });
  const problems = () => problemsOf(entry(), now());
  const brand = (): CardBrand => networkOf(entry().number)?.brand ?? 'unknown';

  function edited(name: FieldName): void {
    if (!problems()[name]) fields[name].problem('');
    notice.textContent = '';
    fields.number.note(brandNames[brand()]);
    onEdit();
  }

  // An empty field that is merely passed through is not yet a mistake.
  function left(name: FieldName): void {
    if (entry()[name] !== '') fields[name].problem(problems()[name] ?? '');
    fields.cvv.input.title = `Security code: ${cvvHint(entry().number)}`;
  }

  function showProblems(): void {
    const found = problems();
    for (const name of fieldNames) fields[name].problem(found[name] ?? '');
    const first = fieldNames.find((name) => found[name]);
    if (first) fields[first].input.focus();
  }

  return {
    root: layOut(fields, notice),
    entry,
    brand,
    ready: () => Object.keys(problems()).length === 0,
    submit() {
      showProblems();
      return Object.keys(problems()).length === 0 ? entry() : undefined;
    },
    announce(text) {
      notice.textContent = text;
    },
    busy(on) {
      for (const name of fieldNames) fields[name].input.readOnly = on;
    },
    forgetCvv() {
      fields.cvv.input.value = '';
    },
  };
}

function createFields(
  edited: (name: FieldName) => void,
  left: (name: FieldName) => void,
): Record<FieldName, Field> {
  const make = (
    name: FieldName,
    options: Omit<Parameters<typeof createField>[0], 'name' | 'onEdit' | 'onLeave'>,
  ) => createField({ ...options, name, onEdit: () => edited(name), onLeave: () => left(name) });
  return {
    number: make('number', {
      label: 'Card number',
      autocomplete: 'cc-number',
      placeholder: '1234 1234 1234 1234',
      format: numberFormat,
    }),
    expiry: make('expiry', {
      label: 'Expiry date',
      autocomplete: 'cc-exp',
      placeholder: 'MM / YY',
      format: expiryFormat,
    }),
    cvv: make('cvv', {
      label: 'Security code',
      autocomplete: 'cc-csc',
      placeholder: 'CVC',
      format: cvvFormat,
    }),
  };
}

function layOut({ number, expiry, cvv }: Record<FieldName, Field>, notice: Node): HTMLFormElement {
  const row = element('div', { class: 'row' }, expiry.root, cvv.root);
  const form = element('form', { novalidate: '' }, number.root, row, notice);
  form.addEventListener('submit', (event) => event.preventDefault());
  return form;
}
