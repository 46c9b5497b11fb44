import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props extends Pick<ButtonProps, 'size' | 'loading' | 'disabled' | 'variant'> {
  readonly onClick: () => void;
  /** Whether the action removes or ends something. Such a button is red and comes last, apart on wide windows. */
  readonly isDestructive?: boolean;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** Button for an action of a page or a row. */
export const ActionButton = ({ isDestructive = false, ...props }: Props) => (
  <Button
    variant={isDestructive ? 'outline' : 'default'}
    {...(isDestructive && { color: 'red', ml: { base: 0, sm: 'md' } })}
    {...props}
  />
);
