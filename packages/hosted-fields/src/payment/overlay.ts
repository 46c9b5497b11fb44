import { element } from '../form/element.ts';

/** Where something that is not ours is shown over the form, such as a bank's challenge: the frame gets the whole window. */
export interface Overlay {
  readonly isOpen: () => boolean;
  /**
   * Shows the content as a modal dialog of that name until the function that it returns is called. `onCancel` is
   * called when the cardholder leaves it by the keyboard; closing it then is up to the caller.
   */
  show(content: HTMLElement, name: string, onCancel: () => void): () => void;
}

/** `tell` asks the page for the whole window, or gives it back. */
export function createOverlay(tell: (on: boolean) => void): Overlay {
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
      tell(true);
      dialog.showModal();
      return () => {
        if (!dialog.isConnected) return;
        dialog.remove();
        open--;
        tell(false);
      };
    },
  };
}
