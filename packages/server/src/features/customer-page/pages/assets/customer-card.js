/**
 * Verifies the card in the form, then submits the page's own form. The response leads back to the
 * subscription.
 */
{
  const byId = (id) => document.getElementById(id);
  const [place, message] = [byId('card'), byId('card-message')];
  const form = place.closest('form');
  const button = form.querySelector('button');
  const label = button.textContent;
  const { grant, subscription, busy, unavailable } = place.dataset;

  const say = (text) => {
    message.textContent = text;
  };

  function setBusy(isBusy) {
    button.setAttribute('aria-busy', String(isBusy));
    button.textContent = isBusy ? busy : label;
  }

  // The form itself shows errors of a card beside the field.
  const isShownByForm = ({ type, detail }) =>
    type === 'payment_method_failed' ||
    (type === 'payment_method_error' && detail.code !== 'form_unavailable');

  async function save(florin) {
    if (button.getAttribute('aria-busy') === 'true') return;
    say('');
    setBusy(true);
    try {
      await florin.verifyPaymentMethod();
    } catch (error) {
      if (!isShownByForm(error)) say(unavailable);
      setBusy(false);
    }
  }

  function start() {
    if (!window.Florin) throw new Error(unavailable);
    const florin = new window.Florin(grant);
    florin.on('payment_method_error', ({ detail }) => {
      if (detail.code === 'form_unavailable') say(unavailable);
    });
    // Every verified card submits the page, also from a wallet.
    florin.on('payment_method_verified', () => form.submit());
    florin.mountPaymentForm('card', subscription);
    byId('save').hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      save(florin);
    });
  }

  try {
    start();
  } catch {
    say(unavailable);
  }
}
