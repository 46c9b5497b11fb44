import { Card, Center, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from '../../parts/page/brand.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';

const WIDTH_PX = 420;

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** Layout of pages before the sign-in. */
export function Outside({ title, children }: Props) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Card withBorder w="100%" maw={WIDTH_PX} padding="lg">
        <Stack gap="md">
          <Brand />
          <PageTitle title={title} />
        </Stack>
        <Stack>{children}</Stack>
      </Card>
    </Center>
  );
}
