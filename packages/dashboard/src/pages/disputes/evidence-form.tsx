import { evidenceFields } from '@florin/contract/resources/disputes.ts';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useRegistry } from '../../api/registry.ts';
import type { AnyAttributes } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { LeaveGuard } from '../../parts/form/leave-guard.tsx';
import { RecordForm } from '../../parts/form/record-form.tsx';
import { isStale, Stale } from '../../parts/form/stale.tsx';
import { Section } from '../../parts/record/section.tsx';
import type { Evidence } from './use-evidence.ts';
import type { EvidenceRules } from './use-evidence-rules.ts';

/** Evidence for the bank. The merchant can save it any number of times and submit it once. */
export function EvidenceForm({
  evidence,
  rules,
}: {
  readonly evidence: Evidence;
  readonly rules: EvidenceRules;
}) {
  const t = useTexts('disputes');
  const records = useTexts('records');
  const notify = useNotify();
  const { edited, version, form, error, isPending, save, renew } = evidence;
  const shownFields = useTextFields(rules, edited.record.attributes as AnyAttributes);
  if (Object.keys(shownFields).length === 0)
    return (
      <Section title={t('evidence')}>
        <Text size="sm">{t('files_only', { processor: rules.processor ?? '' })}</Text>
      </Section>
    );
  return (
    <Section title={t('evidence')}>
      <Text size="sm" mb="md">
        {t('evidence_hint')}
      </Text>
      <LeaveGuard form={form} />
      {isStale(error) && <Stale onReload={renew} />}
      <RecordForm
        key={version}
        handle={form}
        fields={shownFields}
        attributes={edited.record.attributes as AnyAttributes}
        submitText={records('save')}
        error={error}
        isPending={isPending}
        onSubmit={async (draft) => (await save(draft)) && notify(records('saved'))}
      />
    </Section>
  );
}

/**
 * Texts that the processor takes, with their limits beside them. A text that it does not take is shown only while it has
 * content, so that it can be removed.
 */
function useTextFields({ texts, processor }: EvidenceRules, attributes: AnyAttributes) {
  const t = useTexts('disputes');
  const names = useNames();
  const { fields } = useRegistry().disputes;
  return useMemo(() => {
    const entries = Object.entries(fields).flatMap(([name, field]) => {
      if (!(evidenceFields as string[]).includes(name)) return [];
      const rule = texts.find((candidate) => candidate.names.includes(name));
      if (rule?.chars_max === null) return [[name, field] as const];
      if (!rule && !attributes[name]) return [];
      const others = rule?.names.filter((other) => other !== name).map(names.field) ?? [];
      const limits = { processor: processor ?? '', max: rule?.chars_max ?? 0 };
      const key = !rule ? 'text_not_taken' : others.length > 0 ? 'text_limit_shared' : 'text_limit';
      const description = t(key, { ...limits, others: others.join(', ') });
      return [[name, { ...field, description, ...(rule && { max: rule.chars_max }) }] as const];
    });
    return Object.fromEntries(entries);
  }, [fields, texts, processor, attributes, names, t]);
}
