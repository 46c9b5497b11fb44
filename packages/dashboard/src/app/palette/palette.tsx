import { Modal } from '@mantine/core';
import { Suspense } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PaletteBox } from './palette-box.tsx';
import type { KeysAhead } from './typed-ahead.ts';

interface Props {
  readonly isOpen: boolean;
  /** Called with whether the palette has opened a page, whose heading takes the focus. */
  readonly onClose: (opensPage: boolean) => void;
  readonly ahead: KeysAhead;
}

/** Dialog that finds records, pages and actions. */
export function Palette({ isOpen, onClose, ahead }: Props) {
  const t = useTexts('palette');
  return (
    <Modal.Root
      opened={isOpen}
      onClose={() => onClose(false)}
      returnFocus={false}
      size="lg"
      yOffset="8dvh"
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('title')} data-palette>
        <Modal.Body p={0}>
          {isOpen && (
            <Suspense fallback={<Loading />}>
              <PaletteBox onChosen={onClose} ahead={ahead} />
            </Suspense>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
