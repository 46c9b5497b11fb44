import { evidenceFields } from '@florin/contract/resources/disputes.ts';
import { Text } from '@mantine/core';
import type { AnyAttributes, RecordOf } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Instant } from '../../parts/value/instant.tsx';

/** Texts of the evidence that can no longer be changed, and when they were submitted. */
export function SentEvidence({ dispute }: { readonly dispute: RecordOf<'disputes'> }) {
  const t = useTexts('disputes');
  const names = useNames();
  const attributes: AnyAttributes = dispute.attributes;
  const { submitted_at } = dispute.attributes;
  const shownNames = evidenceFields.filter((name) => attributes[name]);
  if (shownNames.length === 0 && !submitted_at) return null;
  const pairs = shownNames.map((name) => ({
    key: name,
    term: names.field(name),
    value: (
      <Text size="sm" style={WRITTEN}>
        {String(attributes[name])}
      </Text>
    ),
  }));
  return (
    <Section title={t(submitted_at ? 'evidence_sent' : 'evidence')}>
      <DefinitionPairs
        pairs={[
          ...(submitted_at
            ? [{ key: 'at', term: t('evidence_at'), value: <Instant at={submitted_at} /> }]
            : []),
          ...pairs,
        ]}
      />
    </Section>
  );
}

/** Keeps the lines as they were written. */
const WRITTEN = { whiteSpace: 'pre-wrap' } as const;
