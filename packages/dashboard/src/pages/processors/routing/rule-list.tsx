import { Button, Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import { type RefObject, useImperativeHandle, useState } from 'react';
import { ApiError, sentenceOf } from '../../../api/errors.ts';
import type { Mode } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import type { FormHandle } from '../../../parts/form/record-form.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { useActionDialog } from '../../operator/use-action-dialog.ts';
import type { ProcessorAccount } from '../types.ts';
import { RuleCard } from './rule-card.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { type EditedRule, moveRule, putRule, type RulesDocument, ruleOfPointer } from './rules.ts';
import { SaveBar } from './save-bar.tsx';
import { useRules } from './use-rules.ts';

interface Props {
  readonly mode: Mode;
  readonly stored: RulesDocument;
  readonly accounts: readonly ProcessorAccount[];
  readonly handle: RefObject<FormHandle | null>;
  /** Reads the rules again, and drops the changes of the page. */
  readonly reload: () => void;
}

const newRule = (): EditedRule => ({
  key: crypto.randomUUID(),
  name: '',
  merchant_id: null,
  conditions: {},
  accounts: [],
});

/** The ordered rules. Changes stay in the page until all rules are saved together. */
export function RuleList({ mode, stored, accounts, handle, reload }: Props) {
  const t = useTexts('processors');
  const { rules, setRules, isChanged, save, store } = useRules(mode, stored);
  const { subject, isOpen, ask, close } = useActionDialog<EditedRule>();
  const [announcement, announce] = useState('');
  useImperativeHandle(handle, () => ({ isChanged: () => isChanged, draft: () => undefined }));
  const move = (rule: EditedRule, step: -1 | 1) => {
    const moved = moveRule(rules, rule.key, step);
    const position = moved.findIndex(({ key }) => key === rule.key) + 1;
    setRules(moved);
    announce(t('moved', { name: rule.name, position, count: moved.length }));
    keepFocus();
  };
  return (
    <Section
      title={t('rules')}
      actions={
        <Button size="xs" variant="default" onClick={() => ask(newRule())}>
          {t('add_rule')}
        </Button>
      }
    >
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {rules.length === 0 && <EmptyState title={t('no_rules')} hint={t(`no_rules_${mode}`)} />}
      <Stack component="ol" gap="sm" m={0} p={0}>
        {rules.map((rule, at) => (
          <RuleCard
            key={rule.key}
            rule={rule}
            position={at + 1}
            isLast={at === rules.length - 1}
            accounts={accounts}
            problems={problemsOf(save.error, at)}
            onMove={(step) => move(rule, step)}
            onEdit={() => ask(rule)}
            onDelete={() => setRules(rules.filter(({ key }) => key !== rule.key))}
          />
        ))}
      </Stack>
      <Otherwise mode={mode} hasRules={rules.length > 0} />
      {isChanged && <SaveBar save={save} onSave={store} onReload={reload} />}
      {subject && (
        <RuleDialog
          key={subject.key}
          mode={mode}
          rule={subject}
          accounts={accounts}
          isOpen={isOpen}
          onClose={close}
          onDone={(rule) => {
            setRules(putRule(rules, rule));
            close();
          }}
        />
      )}
    </Section>
  );
}

/** Moving a row takes the focus from its button. */
function keepFocus(): void {
  const { id } = document.activeElement ?? {};
  if (id) requestAnimationFrame(() => document.getElementById(id)?.focus());
}

const problemsOf = (error: unknown, at: number): readonly string[] =>
  error instanceof ApiError
    ? error.problems.flatMap((problem) =>
        ruleOfPointer(problem.source?.pointer) === at ? [sentenceOf(problem)] : [],
      )
    : [];

/** Says who takes payments that no rule matches. */
function Otherwise({ mode, hasRules }: { readonly mode: Mode; readonly hasRules: boolean }) {
  const t = useTexts('processors');
  if (!hasRules) return undefined;
  return (
    <Paper withBorder p="sm" mt="sm" bg="transparent">
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {t('otherwise')}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`otherwise_${mode}`)}
        </Text>
      </Group>
    </Paper>
  );
}
