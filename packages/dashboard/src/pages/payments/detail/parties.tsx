import type { ReactNode } from 'react';
import type { Resource } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { includedByKey, relatedOf } from '../../../parts/table/column.ts';
import { CardName } from '../card-name.tsx';

interface Props {
  readonly payment: Resource;
  readonly included: readonly Resource[];
}

/** Payer, card and addresses, each with a link. */
export function Parties({ payment, included }: Props) {
  const t = useTexts('payments');
  const names = useNames();
  const relatedRecords = relatedOf(payment, includedByKey(included));
  const parties = [
    ['payer', Customer],
    ['payment_method', Card],
    ['billing_address', Address],
    ['shipping_address', Address],
  ] as const;
  const pairs = parties.flatMap(([name, Shown]) => {
    const record = relatedRecords(name);
    return record ? [{ key: name, term: names.field(name), value: <Shown record={record} /> }] : [];
  });
  return (
    <Section title={t('parties')}>
      {pairs.length === 0 ? t('parties_none') : <DefinitionPairs pairs={pairs} />}
    </Section>
  );
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
  const { line_1, line_2, city, state, zip, country } = record.attributes;
  const lines = [line_2, [zip, city].filter(Boolean).join(' '), state, country].filter(Boolean);
  return (
    <>
      <Open record={record}>{String(line_1)}</Open>
      {lines.map((line) => (
        <div key={String(line)}>{String(line)}</div>
      ))}
    </>
  );
}
