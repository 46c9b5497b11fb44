import { Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useDashboard } from '../../../api/queries.ts';
import type { Mode } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ChoiceBar } from '../../../parts/form/choice-bar.tsx';
import { LeaveGuard, useLeaveGuard } from '../../../parts/form/leave-guard.tsx';
import type { FormHandle } from '../../../parts/form/record-form.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../../parts/page/search.ts';
import { MODES, useProcessorAccounts } from '../use-processors.ts';
import { Preview } from './preview.tsx';
import { RuleList } from './rule-list.tsx';
import type { RulesDocument } from './rules.ts';

/** Rules that give payments to accounts, and their preview. */
export function Routing() {
  const t = useTexts('processors');
  const [search, change] = useAddressSearch();
  const mode: Mode = search.mode === 'sandbox' ? 'sandbox' : 'live';
  const editor = useRef<FormHandle>(null);
  const guard = useLeaveGuard(editor);
  return (
    <>
      <PageTitle
        title={t('routing')}
        actions={
          <ChoiceBar
            label={t('mode')}
            value={mode}
            onChange={(next) => guard.ask(() => change({ mode: next }))}
            data={MODES.map((value) => ({ value, label: t(value) }))}
          />
        }
      />
      <Text mb="md" maw={720}>
        {t('routing_text')}
      </Text>
      {guard.dialog}
      <LeaveGuard form={editor} />
      <RulesOfMode key={mode} mode={mode} handle={editor} />
    </>
  );
}

interface Props {
  readonly mode: Mode;
  readonly handle: React.RefObject<FormHandle | null>;
}

function RulesOfMode({ mode, handle }: Props) {
  const rules = useDashboard<RulesDocument>(`operator/routing/${mode}`);
  const accounts = useProcessorAccounts();
  const [version, setVersion] = useState(0);
  const reload = () => void rules.refetch().then(() => setVersion((before) => before + 1));
  const ofMode = (accounts.data?.data ?? []).filter((account) => account.mode === mode);
  const error = rules.error ?? accounts.error;
  if (error) return <ProblemAlert error={error} onRetry={reload} />;
  if (!rules.data || !accounts.data) return <Loading />;
  return (
    <Stack gap="xl">
      <RuleList
        key={version}
        mode={mode}
        stored={rules.data}
        accounts={ofMode}
        handle={handle}
        reload={reload}
      />
      <Preview mode={mode} accounts={ofMode} />
    </Stack>
  );
}
