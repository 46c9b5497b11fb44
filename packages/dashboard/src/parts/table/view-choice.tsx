import { SegmentedControl } from '@mantine/core';

interface Props<V extends string> {
  readonly label: string;
  readonly shown: V;
  readonly views: readonly { readonly value: V; readonly label: string }[];
  readonly choose: (view: V) => void;
}

/** Which part of a list is shown, of a few that people know by name. */
export function ViewChoice<V extends string>({ label, shown, views, choose }: Props<V>) {
  return (
    <SegmentedControl
      mb="md"
      maw="100%"
      style={{ overflowX: 'auto' }}
      aria-label={label}
      value={shown}
      onChange={(value) => choose(value as V)}
      data={[...views]}
    />
  );
}
