import { Card, Center, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from '../../parts/page/page-title.tsx';

const WIDTH_PX = 420;

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** The look of pages for those who have not signed in. */
export function Outside({ title, children }: Props) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Card withBorder w="100%" maw={WIDTH_PX} padding="xl">
        <PageTitle title={title} />
        <Stack>{children}</Stack>
      </Card>
    </Center>
  );
}
