import type { Field } from '@florin/contract/resources/define-resource.ts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AnyAttributes } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { AlertMessage } from './alert-message.tsx';
import { type CodeType, codeName } from './codes.ts';
import { Id } from './copyable.tsx';
import { currencyOf, isAmount } from './currency-of.ts';
import { EventNames } from './event-name.tsx';
import { CalendarDate, Instant } from './instant.tsx';
import { isState } from './is-state.ts';
import { JsonView } from './json-view.tsx';
import { areLineItems, lineItemsText } from './line-items/line-item.ts';
import { LineItemsTable } from './line-items/line-items-table.tsx';
import { Money } from './money.tsx';
import { quantityText } from './quantity.ts';
import { SafeLink } from './safe-link.tsx';
import { StateBadge } from './state-badge.tsx';
import classes from './value.module.css';

interface Props {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  /** The record's attributes, which contain the currency of an amount. */
  readonly attributes: AnyAttributes;
  /** Whether to show a single line, for table cells. */
  readonly compact?: boolean;
}

/** A value of a record, formatted by the type of its field. */
export function FieldValue({ name, field, value, attributes, compact }: Props): ReactNode {
  const t = useTexts('common');
  if (value === null || value === undefined || value === '') {
    return (
      <Text span c="dimmed" aria-label={t('none')}>
        –
      </Text>
    );
  }
  if (field.type === 'integer')
    return <NumberValue name={name} value={value} attributes={attributes} />;
  if (name === 'events' && Array.isArray(value))
    return <EventNames codes={value} {...(compact && { compact })} />;
  if (name === 'line_items' && areLineItems(value))
    return compact ? lineItemsText(value) : <LineItemsTable items={value} />;
  if (name === 'message' && attributes.message_code)
    return <AlertMessage attributes={attributes} />;
  if (typeof value === 'object')
    return compact ? summaryOf(value) : <Compound name={name} value={value} />;
  return <TextValue name={name} field={field} value={value} />;
}

function NumberValue({ name, value, attributes }: Omit<Props, 'field'>) {
  const locale = useLocale();
  const currency = isAmount(name, attributes) ? currencyOf(name, attributes) : undefined;
  if (currency) return <Money cents={String(value)} currency={currency} />;
  const number = Number(value);
  const text = quantityText(name, number, locale) ?? new Intl.NumberFormat(locale).format(number);
  return <span className={classes.number}>{text}</span>;
}

function TextValue({ name, field, value }: Omit<Props, 'attributes'>) {
  const t = useTexts('common');
  const names = useNames();
  const text = String(value);
  if (isState(name, field)) return <StateBadge state={text} />;
  switch (field.type) {
    case 'boolean':
      return value ? t('yes') : t('no');
    case 'timestamp':
      return <Instant at={text} />;
    case 'date':
      return <CalendarDate date={text} />;
    case 'uuid':
      return <Id value={text} short />;
    case 'url':
      return <SafeLink href={text} />;
    case 'country':
      return <CodeName type={field.type} code={text} />;
    case 'enum':
      return names.value(text);
    default:
      return <span className={classes.text}>{isNamed(name, text) ? names.value(text) : text}</span>;
  }
}

/** Whether a free-text field has values with translations. Some failure reasons are messages of another server. */
const isNamed = (name: string, text: string): boolean =>
  name === 'entity_type' ||
  name === 'processor' ||
  (name === 'code' && /^[a-z_]+$/.test(text)) ||
  name === 'tax_id_type' ||
  ((name === 'failure_reason' || name === 'code') && /^[a-z_]+$/.test(text));

/** Name of a code, with the code in the title. */
function CodeName({ type, code }: { readonly type: CodeType; readonly code: string }) {
  return <span title={code}>{codeName(type, code, useLocale())}</span>;
}

const BRIEF_MAX = 80;

const summaryOf = (value: object): string =>
  (Array.isArray(value) && value.every((it) => typeof it === 'string')
    ? value.join(', ')
    : JSON.stringify(value)
  ).slice(0, BRIEF_MAX);

function Compound({ name, value }: { readonly name: string; readonly value: object }) {
  const names = useNames();
  if (Array.isArray(value) && value.every((it) => typeof it === 'string')) {
    return value.length === 0 ? '–' : value.join(', ');
  }
  return <JsonView value={value} label={names.field(name)} />;
}
