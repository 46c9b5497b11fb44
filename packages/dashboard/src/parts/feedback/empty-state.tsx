import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Text with the next step. */
  readonly hint?: string;
  /** Button for the next step. */
  readonly action?: ReactNode;
}

/** Placeholder for an empty list, with the next step. */
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
