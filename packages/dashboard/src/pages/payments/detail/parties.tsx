import { regionOf } from '@florin/contract/countries.ts';
import type { ReactNode } from 'react';
import type { Resource } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { includedByKey, relatedOf } from '../../../parts/table/column.ts';
import { codeName } from '../../../parts/value/codes.ts';
import { CardName } from '../card-name.tsx';

interface Props {
  readonly payment: Resource;
  readonly included: readonly Resource[];
}

/** Payer and card, then addresses, as pairs with a link each. */
export function usePartyPairs({ payment, included }: Props) {
  const t = useTexts('payments');
  const names = useNames();
  const relatedRecords = relatedOf(payment, includedByKey(included));
  const pairOf = (name: string, Shown: (props: PartyProps) => ReactNode, term?: string) => {
    const record = relatedRecords(name);
    if (!record) return [];
    return [{ key: name, term: term ?? names.field(name), value: <Shown record={record} /> }];
  };
  const isPaid = payment.attributes.succeeded_at !== null;
  return {
    people: [
      ...pairOf('payer', Customer, isPaid ? t('paid_by') : undefined),
      ...pairOf('payment_method', Card, isPaid ? t('paid_with') : undefined),
    ],
    addresses: [...pairOf('billing_address', Address), ...pairOf('shipping_address', Address)],
  };
}

interface PartyProps {
  readonly record: Resource;
}

const Open = ({ record, children }: PartyProps & { readonly children: ReactNode }) => (
  <ScopedLink to={recordPath(record.type, record.id)}>{children}</ScopedLink>
);

function Customer({ record }: PartyProps) {
  const { name, email } = record.attributes;
  return (
    <>
      <Open record={record}>{String(name || email)}</Open>
      {name ? <div>{String(email)}</div> : null}
    </>
  );
}

function Card({ record }: PartyProps) {
  const { expiry_month, expiry_year, wallet, network_token } = record.attributes;
  const names = useNames();
  const source = network_token ? 'network_token' : String(wallet ?? '');
  const expiry = `${String(expiry_month).padStart(2, '0')}/${expiry_year}`;
  return (
    <>
      <Open record={record}>
        <CardName method={record} />
      </Open>
      <div>{source ? `${expiry} · ${names.value(source)}` : expiry}</div>
    </>
  );
}

function Address({ record }: PartyProps) {
  const locale = useLocale();
  const { line_1, line_2, city, zip, country } = record.attributes;
  const countryName = country ? codeName('country', String(country), locale) : '';
  const place = [zip, city].filter(Boolean).join(' ');
  const lines = [line_2, place, regionOf(record.attributes), countryName].filter(Boolean);
  return (
    <>
      <Open record={record}>{String(line_1)}</Open>
      {lines.map((line) => (
        <div key={String(line)}>{String(line)}</div>
      ))}
    </>
  );
}
