import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** What to do next. */
  readonly hint?: string;
  /** The button that does it. */
  readonly action?: ReactNode;
}

/** Stands where there is nothing yet, and says how that changes. */
export function EmptyState({ title, hint, action }: Props) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      {hint && (
        <Text c="dimmed" maw={480}>
          {hint}
        </Text>
      )}
      {action}
    </Stack>
  );
}
