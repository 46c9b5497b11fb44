import type { Mode } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Id } from '../../parts/value/copyable.tsx';
import { Instant } from '../../parts/value/instant.tsx';

interface Props {
  readonly record: {
    readonly id: string;
    readonly processor_account_id: string;
    readonly mode: Mode;
  };
  /** Name of the account; undefined while it is not known. */
  readonly account: string | undefined;
  readonly received_at: string;
  /** Facts of this kind of record. */
  readonly pairs: Parameters<typeof DefinitionPairs>[0]['pairs'];
}

/** Facts of a report or notification: its account, mode and arrival, and those of its kind. */
export function RecordFacts({ record, account, received_at, pairs }: Props) {
  const t = useTexts('processors');
  const { id, processor_account_id, mode } = record;
  return (
    <Section title={t('overview')}>
      <DefinitionPairs
        pairs={[
          {
            key: 'account',
            term: t('account'),
            value: (
              <ScopedLink to={`/operator/processors/${processor_account_id}`}>
                {account ?? processor_account_id}
              </ScopedLink>
            ),
          },
          { key: 'mode', term: t('mode'), value: t(mode) },
          { key: 'received', term: t('received'), value: <Instant at={received_at} seconds /> },
          ...pairs,
          { key: 'id', term: t('id'), value: <Id value={id} /> },
        ]}
      />
    </Section>
  );
}
