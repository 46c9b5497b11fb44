import { Tabs, Text } from '@mantine/core';
import { useCan, useScope } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../../parts/page/search.ts';
import { SETTLE_PERMISSIONS, SettleNow } from '../../balance/settle-now.tsx';
import { Clocks } from './clocks.tsx';
import { Mailbox } from './mailbox.tsx';
import { Reset } from './reset.tsx';
import { TestCards } from './test-cards.tsx';
import { Triggers } from './triggers.tsx';

const TABS = {
  cards: { Tool: TestCards, permissions: [] },
  clocks: { Tool: Clocks, permissions: ['developer.sandbox_clocks.read'] },
  triggers: {
    Tool: Triggers,
    permissions: ['transaction.payment_demands.create', 'developer.events.read'],
  },
  settlement: { Tool: SettleNow, permissions: SETTLE_PERMISSIONS },
  mailbox: { Tool: Mailbox, permissions: ['consumer.emails.read'] },
  reset: { Tool: Reset, permissions: ['user.merchants.update'] },
} as const;
type Tab = keyof typeof TABS;

const isTab = (name: string | undefined): name is Tab => name !== undefined && name in TABS;

/** Tools for tests without real money. */
export function Sandbox() {
  const t = useTexts('developers');
  const { mode } = useScope();
  return (
    <>
      <PageTitle title={t('sandbox')} />
      {mode === 'live' ? (
        <EmptyState title={t('sandbox_live')} hint={t('sandbox_live_hint')} />
      ) : (
        <Tools />
      )}
    </>
  );
}

function Tools() {
  const t = useTexts('developers');
  const can = useCan();
  const [{ tool }, change] = useAddressSearch();
  const offeredTabs = (Object.keys(TABS) as Tab[]).filter((name) =>
    TABS[name].permissions.every(can),
  );
  const current = isTab(tool) && offeredTabs.includes(tool) ? tool : 'cards';
  return (
    <Tabs
      value={current}
      onChange={(name) => change({ tool: name ?? '' })}
      keepMounted={false}
      activateTabWithKeyboard={false}
    >
      <Tabs.List mb="md" aria-label={t('sandbox')}>
        {offeredTabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`tool_${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {offeredTabs.map((name) => {
        const { Tool } = TABS[name];
        return (
          <Tabs.Panel key={name} value={name}>
            <Text c="dimmed" size="sm" mb="md">
              {t(`tool_${name}_hint`)}
            </Text>
            <Tool />
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}
