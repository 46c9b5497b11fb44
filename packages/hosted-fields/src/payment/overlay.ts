import { element } from '../form/element.ts';

/** Shows other content, such as a bank's challenge, in the full window. */
export interface Overlay {
  readonly isOpen: () => boolean;
  /**
   * Shows the content as a modal dialog named `name`. Returns the function that closes the dialog.
   * `onCancel` is called when the cardholder leaves by keyboard; the caller must close the dialog.
   */
  show(content: HTMLElement, name: string, onCancel: () => void): () => void;
}

/** Creates the overlay. `expand` asks the page to expand the frame, or to restore it. */
export function createOverlay(expand: (on: boolean) => void): Overlay {
  let open = 0;
  return {
    isOpen: () => open > 0,
    show(content, name, onCancel) {
      const dialog = element('dialog', { class: 'overlay', 'aria-label': name }, content);
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault();
        onCancel();
      });
      document.body.append(dialog);
      open++;
      expand(true);
      dialog.showModal();
      return () => {
        if (!dialog.isConnected) return;
        dialog.remove();
        open--;
        expand(false);
      };
    },
  };
}
