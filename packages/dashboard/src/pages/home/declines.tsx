import { declineCodes } from '@florin/contract/decline-codes.ts';
import type { CurrencyFigures } from '@florin/contract/overview.ts';
import { Text } from '@mantine/core';
import { useNames } from '../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { Section } from '../../parts/record/section.tsx';
import { SimpleTable } from '../../parts/table/simple-table.tsx';

/** Decline reasons, most frequent first, with links to their payments. */
export function Declines({ declines }: Pick<CurrencyFigures, 'declines'>) {
  const t = useTexts('home');
  const names = useNames();
  const number = new Intl.NumberFormat(useLocale());
  return (
    <Section title={t('declines')}>
      {declines.length === 0 && <Text c="dimmed">{t('no_declines')}</Text>}
      {declines.length > 0 && (
        <SimpleTable
          label={t('declines')}
          heads={[t('reason'), t('what_to_do'), t('payments')]}
          rows={declines.map(({ code, count }) => ({
            key: code,
            cells: [
              names.value(code),
              t(mayRetry(code) ? 'try_later' : 'ask_for_another_card'),
              <ScopedLink
                key="payments"
                to={listPath('payment_demands')}
                search={{ 'filter[failure_reason]': code }}
              >
                {number.format(count)}
              </ScopedLink>,
            ],
          }))}
        />
      )}
    </Section>
  );
}

const mayRetry = (code: string): boolean =>
  (declineCodes as Readonly<Record<string, { readonly retry: boolean }>>)[code]?.retry ?? false;
