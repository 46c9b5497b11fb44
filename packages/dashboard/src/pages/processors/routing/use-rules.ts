import { useState } from 'react';
import { useDashboardWrite } from '../../../api/queries.ts';
import type { Mode } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { type EditedRule, editedRules, type Rule, type RulesDocument, rulesBody } from './rules.ts';

/** Keeps changed rules in the page, and the version that they began with. */
export function useRules(mode: Mode, stored: RulesDocument) {
  const t = useTexts('processors');
  const notify = useNotify();
  const [began, setBegan] = useState(stored);
  const [changed, setChanged] = useState<readonly EditedRule[]>();
  // Without changes the page follows the stored rules, such as those that it has just saved.
  if (!changed && began.etag !== stored.etag) setBegan(stored);
  const save = useDashboardWrite<{ rules: readonly Rule[] }>(`operator/routing/${mode}`, 'PUT', {
    if_match: began.etag,
  });
  const rules = changed ?? editedRules(began);
  const store = () =>
    save.mutate(rulesBody(rules), {
      onSuccess: () => {
        setChanged(undefined);
        notify(t('rules_saved'));
      },
    });
  return { rules, setRules: setChanged, isChanged: changed !== undefined, save, store };
}
