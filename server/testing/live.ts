/** The settings without which live mode does not start, for a product on a test's database. */
export const LIVE = {
  POOL_MODE: 'live',
  RATE_LIMITS: 'on',
  ALLOW_EMBEDDED_IN_LIVE: 'true',
  SMTP_URL: 'smtps://mail.example.com',
  MAIL_FROM: 'pool@example.com',
  PUBLIC_URL: 'https://pool.example.com',
}
