import { type CardBrand, networkOf } from '@florin/contract/card/networks.ts';
import type { Texts } from '../texts.ts';
import {
  type CardEntry,
  type CardFieldName,
  cvvHint,
  hasUsualLength,
  problemsOf,
} from './checks.ts';
import { type Format, plainDigits } from './edit.ts';
import { element } from './element.ts';
import { createField, type Field } from './field.ts';
import { cvvFormat, expiryFormat, numberFormat } from './formats.ts';
import { createSection, type Section } from './section.ts';

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

export interface CardSection extends Section {
  readonly entry: () => CardEntry;
  readonly brand: () => CardBrand;
  clearCvv(): void;
}

export interface CardSectionOptions {
  readonly text: Texts;
  readonly now: () => Date;
  readonly onEdit: () => void;
}

/** Creates the fields for card number, expiry and verification value. */
export function createCardSection({ text, now, onEdit }: CardSectionOptions): CardSection {
  const fields = createFields(text, edited, leaveField);
  const { number, expiry, cvv } = fields;
  const entry = (): CardEntry => ({
    number: plainDigits(number.control.value),
    expiry: expiry.control.value,
    cvv: cvv.control.value,
  });
  const brand = (): CardBrand => networkOf(entry().number)?.brand ?? 'unknown';
  const { section, ...on } = createSection<CardFieldName>({
    root: element(
      'div',
      { class: 'section' },
      number.root,
      element('div', { class: 'row' }, expiry.root, cvv.root),
    ),
    fields,
    text,
    problems: () => problemsOf(entry(), now()),
  });

  function edited(name: CardFieldName): void {
    on.edited(name);
    number.note(brandNames[brand()]);
    number.root.dataset.brand = brand();
    onEdit();
    if (isComplete(name)) fields[name === 'number' ? 'expiry' : 'cvv'].control.focus();
  }

  /** Whether the cardholder has completed a valid number or expiry date. */
  function isComplete(name: CardFieldName): boolean {
    return (
      name !== 'cvv' &&
      document.activeElement === fields[name].control &&
      !problemsOf(entry(), now())[name] &&
      (name === 'expiry' || hasUsualLength(entry().number))
    );
  }

  function leaveField(name: CardFieldName): void {
    on.left(name);
    cvv.control.title = text(cvvHint(entry().number));
  }

  return {
    ...section,
    entry,
    brand,
    clearCvv() {
      cvv.control.value = '';
    },
  };
}

function createFields(
  text: Texts,
  edited: (name: CardFieldName) => void,
  left: (name: CardFieldName) => void,
): Record<CardFieldName, Field> {
  const make = (name: CardFieldName, autocomplete: string, placeholder: string, format: Format) =>
    createField({
      name,
      label: text(name),
      control: digitsInput(autocomplete, placeholder),
      format,
      onEdit: () => edited(name),
      onLeave: () => left(name),
    });
  return {
    number: make('number', 'cc-number', '1234 1234 1234 1234', numberFormat),
    expiry: make('expiry', 'cc-exp', text('expiry_shape'), expiryFormat),
    cvv: make('cvv', 'cc-csc', 'CVC', cvvFormat),
  };
}

/** Creates a text input for digits: number inputs drop leading zeros, and password managers store password inputs. */
const digitsInput = (autocomplete: string, placeholder: string): HTMLInputElement =>
  element('input', {
    autocomplete,
    placeholder,
    type: 'text',
    inputmode: 'numeric',
    dir: 'ltr',
    spellcheck: 'false',
    'aria-required': 'true',
  });
