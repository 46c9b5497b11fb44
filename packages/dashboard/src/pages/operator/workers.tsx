import { Stack, Table, Text } from '@mantine/core';
import { useNames } from '../../i18n/use-names.ts';
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
        <LoopName loop={loop} />
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

/** Loops of one mode end in its name. */
const MODE = /[ -](live|sandbox)$/;

/** Name of a worker for people, with the name in the log below. */
function LoopName({ loop }: { readonly loop: string }) {
  const t = useTexts('operator');
  const names = useNames();
  const mode = MODE.exec(loop)?.[1];
  const name = t.find(`loop_of_${loop.replace(MODE, '').replaceAll(/[ -]/g, '_')}`);
  return (
    <Stack gap={0}>
      {name && <span>{mode ? `${name} (${names.value(mode)})` : name}</span>}
      <Text span size="xs" c="dimmed" ff="monospace">
        {loop}
      </Text>
    </Stack>
  );
}
