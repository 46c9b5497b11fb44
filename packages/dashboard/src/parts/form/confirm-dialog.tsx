import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../feedback/problem-alert.tsx';
import { DialogFrame } from './dialog-frame.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Effect of the action, and whether it can be undone. */
  readonly text: ReactNode;
  /** Verb on the button: `Refund`, not `OK`. */
  readonly confirmText: string;
  /** Whether the action cannot be undone. */
  readonly danger?: boolean;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
  readonly error?: unknown;
  /** Additional inputs. */
  readonly children?: ReactNode;
}

/** Asks for a confirmation. The focus moves into the dialog and returns afterwards. */
export function ConfirmDialog(props: Props) {
  const { isOpen, onClose, title, text, confirmText, danger, onConfirm, isPending, error } = props;
  const t = useTexts('common');
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {text}
        </Text>
        {props.children}
        {error != null && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus={danger}>
            {t('cancel')}
          </Button>
          <Button
            {...(danger && { color: 'red' })}
            loading={isPending ?? false}
            onClick={onConfirm}
          >
            {confirmText}
          </Button>
        </Group>
      </Stack>
    </DialogFrame>
  );
}
