/**
 * The page of a payment link: mounts the card form, has the payment charged, and continues when it
 * is paid.
 */
{
  const RELOAD_MS = 3_000;
  const place = document.getElementById('payment-form');
  const message = document.getElementById('message');

  // The embedded form itself shows errors of a card beside the field.
  const isShownByForm = ({ type, detail }) =>
    type === 'payment_method_failed' ||
    type === 'payment_failed' ||
    (type === 'payment_method_error' && detail.code !== 'form_unavailable');

  async function confirm({ confirm: path, ended, failed }) {
    const response = await fetch(path, { method: 'POST' }).catch(() => undefined);
    if (response?.ok) return;
    if (response?.status === 410) location.replace(ended);
    throw new Error(failed);
  }

  function start(data) {
    if (!window.Florin) throw new Error(data.noForm);
    const wallets = { applePay: true, googlePay: true };
    const brand = data.accent && { appearance: { accent: data.accent } };
    const options = { formFactor: 'embedded', locale: data.locale, ...wallets, ...brand };
    const florin = new window.Florin(data.grant, options);
    const say = (text) => {
      message.textContent = text;
    };
    florin.on('payment_method_error', ({ detail }) => {
      if (detail.code === 'form_unavailable') say(data.noForm);
    });
    florin.on('payment_method_verifying', () => say(''));
    florin.on('payment_method_verified', async () => {
      try {
        await confirm(data);
        await florin.listenToPayment(data.payment);
        location.replace(data.onward);
      } catch (error) {
        if (!isShownByForm(error)) say(error.message);
      }
    });
    florin.mountPaymentForm('payment-form', data.payment);
  }

  if (place) {
    try {
      start(place.dataset);
    } catch (error) {
      message.textContent = error.message;
    }
  } else {
    setTimeout(() => location.reload(), RELOAD_MS);
  }
}
