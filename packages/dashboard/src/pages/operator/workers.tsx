import { Code, Table, Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import type { StateTone } from '../../parts/value/state-tone.ts';
import type { WorkLoop } from './types.ts';
import { WideTable } from './wide-table.tsx';

const tones: Readonly<Record<WorkLoop['state'], StateTone>> = {
  beating: 'good',
  failing: 'attention',
  late: 'bad',
  gone: 'bad',
};
/** Order of the states: problems come first. */
const order: readonly WorkLoop['state'][] = ['gone', 'late', 'failing', 'beating'];

/** State of the worker loops of all processes. */
export function Workers({ loops }: { readonly loops: readonly WorkLoop[] }) {
  const t = useTexts('operator');
  const sortedLoops = loops.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <Section title={t('loops')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t(loops.length > 0 ? 'loops_text' : 'loops_none')}
      </Text>
      {loops.length > 0 && (
        <WideTable
          label={t('loops')}
          minWidth={720}
          columns={[t('loop'), t('state'), t('loop_process'), t('loop_stepped'), t('loop_error')]}
        >
          {sortedLoops.map((loop) => (
            <LoopRow key={`${loop.process.id} ${loop.loop}`} workLoop={loop} />
          ))}
        </WideTable>
      )}
    </Section>
  );
}

function LoopRow({ workLoop }: { readonly workLoop: WorkLoop }) {
  const t = useTexts('operator');
  const { process, loop, state, stepped_at, error } = workLoop;
  return (
    <Table.Tr>
      <Table.Td>
        <Code>{loop}</Code>
      </Table.Td>
      <Table.Td>
        <StateBadge state={state} tone={tones[state]} />
      </Table.Td>
      <Table.Td>{`${process.host} · ${process.pid}`}</Table.Td>
      <Table.Td>{stepped_at ? <Instant at={stepped_at} /> : t('loop_never')}</Table.Td>
      <Table.Td>{error ?? '–'}</Table.Td>
    </Table.Tr>
  );
}
