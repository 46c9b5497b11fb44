import { sandboxCards, sandboxCvv } from '@florin/contract/card/sandbox-cards.ts';
import { Table } from '@mantine/core';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Copyable } from '../../../parts/value/copyable.tsx';

/** Test cards for the form and for programs. */
export function TestCards() {
  const t = useTexts('developers');
  const names = useNames();
  return (
    <Table.ScrollContainer minWidth={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={t('tool_cards')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('card_number')}</Table.Th>
            <Table.Th scope="col">{t('card_cvv')}</Table.Th>
            <Table.Th scope="col">{t('card_outcome')}</Table.Th>
            <Table.Th scope="col">{t('card_threeds')}</Table.Th>
            <Table.Th scope="col">{t('card_token')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sandboxCards.map(({ token, number, brand, threeds, outcome, mismatch }) => (
            <Table.Tr key={token}>
              <Table.Td>
                <Copyable
                  value={number}
                  label={withSpaces(number)}
                  what={`${t('card_number')} ${token}`}
                />
              </Table.Td>
              <Table.Td>{sandboxCvv(brand)}</Table.Td>
              <Table.Td>
                {[outcome, mismatch].flatMap((it) => (it ? [names.value(it)] : [])).join(' · ')}
              </Table.Td>
              <Table.Td>{names.value(threeds)}</Table.Td>
              <Table.Td>
                <Copyable value={token} what={`${t('card_token')} ${token}`} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const withSpaces = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ');
