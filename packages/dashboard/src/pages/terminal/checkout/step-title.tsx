import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/** Heading of a step. Takes the focus, because the button that led here is gone. */
export function StepTitle({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Title order={2} size="h3" ref={heading} tabIndex={-1}>
      {children}
    </Title>
  );
}
