/** Parts of an installation that `florin doctor` examines, in the order of the page. */
export const areas = [
  'configuration',
  'processes',
  'database',
  'migrations',
  'vault',
  'clocks',
  'queues',
  'webhooks',
  'processors',
  'outcomes',
  'settlement',
  'audit',
  'checks',
  'certificates',
  'disk',
] as const;
export type Area = (typeof areas)[number];

/** A fault, with the next step. */
export interface DoctorFinding {
  readonly area: Area;
  readonly problem: string;
  readonly next_step: string;
}

/** The examination: facts of healthy areas in a line each, and what is wrong. */
export interface Examination {
  readonly facts: Readonly<Partial<Record<Area, string>>>;
  readonly findings: readonly DoctorFinding[];
}

const RUNBOOKS = '/docs/operate/runbooks';

/** A finding whose next step is a runbook, after what to do first. */
export const finding = (
  area: Area,
  problem: string,
  runbook: string,
  step = '',
): DoctorFinding => ({
  area,
  problem,
  next_step: `${step}${step && ' '}See ${RUNBOOKS}#${runbook}.`,
});

export const when = (isWrong: boolean, value: () => DoctorFinding): DoctorFinding[] =>
  isWrong ? [value()] : [];

/** One examination out of several. Later facts of an area replace earlier ones. */
export const joinExaminations = (parts: readonly Examination[]): Examination => ({
  facts: Object.assign({}, ...parts.map(({ facts }) => facts)),
  findings: parts.flatMap(({ findings }) => findings),
});

const NAME_WIDTH = Math.max(...areas.map((area) => area.length)) + 2;

/** The examination as a page: an area a line, then each finding with its next step. */
export function renderExamination({ facts, findings }: Examination): string {
  const count = findings.length;
  const lines = areas.flatMap((area) => {
    const wrong = findings.filter((finding) => finding.area === area);
    if (wrong.length === 0 && !facts[area]) return [];
    const state = wrong.length === 0 ? 'ok   ' : 'WRONG';
    const head = `${state}  ${area.padEnd(NAME_WIDTH)}${facts[area] ?? ''}`.trimEnd();
    return [
      head,
      ...wrong.flatMap(({ problem, next_step }) => [
        `         ${problem}`,
        `         > ${next_step}`,
      ]),
    ];
  });
  const verdict =
    count === 0
      ? 'Nothing is wrong.'
      : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`;
  return [...lines, '', verdict].join('\n');
}
