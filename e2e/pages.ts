/** The pages of the product, each with a visitor. */

export type Visitor = 'visitor' | 'investor' | 'superAdmin'

type Screen = {
  readonly path: string
  readonly by: Visitor
  readonly heading: string
  readonly title: { en: string; es: string }
}

export const screens: readonly Screen[] = [
  {
    path: '/',
    by: 'visitor',
    heading: 'Peer Lending Pool',
    title: {
      en: 'Peer Lending Pool · Fixed interest from a shared lending pool',
      es: 'Peer Lending Pool · Interés fijo de un fondo de préstamos compartido',
    },
  },
  {
    path: '/login',
    by: 'visitor',
    heading: 'Welcome to',
    title: { en: 'Sign in · Peer Lending Pool', es: 'Iniciar sesión · Peer Lending Pool' },
  },
  {
    path: '/register',
    by: 'visitor',
    heading: 'Join',
    title: {
      en: 'Create an account · Peer Lending Pool',
      es: 'Crear una cuenta · Peer Lending Pool',
    },
  },
  {
    path: '/forgot',
    by: 'visitor',
    heading: 'Reset your password',
    title: {
      en: 'Reset your password · Peer Lending Pool',
      es: 'Restablece tu contraseña · Peer Lending Pool',
    },
  },
  {
    path: '/pool',
    by: 'visitor',
    heading: 'The pool in public',
    title: { en: 'The pool · Peer Lending Pool', es: 'El fondo · Peer Lending Pool' },
  },
  {
    path: '/verify',
    by: 'visitor',
    heading: 'Check a file',
    title: {
      en: 'Check a file · Peer Lending Pool',
      es: 'Comprobar un archivo · Peer Lending Pool',
    },
  },
  {
    path: '/mailbox',
    by: 'superAdmin',
    heading: 'Mailbox',
    title: { en: 'Mailbox · Peer Lending Pool', es: 'Buzón · Peer Lending Pool' },
  },
  {
    path: '/dashboard',
    by: 'investor',
    heading: 'Account Balance',
    title: { en: 'Dashboard · Peer Lending Pool', es: 'Panel · Peer Lending Pool' },
  },
  {
    path: '/security',
    by: 'investor',
    heading: 'Password',
    title: { en: 'Security · Peer Lending Pool', es: 'Seguridad · Peer Lending Pool' },
  },
  {
    path: '/notices',
    by: 'investor',
    heading: 'Notices',
    title: { en: 'Notices · Peer Lending Pool', es: 'Avisos · Peer Lending Pool' },
  },
  {
    path: '/statements',
    by: 'investor',
    heading: 'Statements',
    title: { en: 'Statements · Peer Lending Pool', es: 'Extractos · Peer Lending Pool' },
  },
  {
    path: '/admin',
    by: 'superAdmin',
    heading: 'Welcome back',
    title: {
      en: 'Admin Dashboard · Peer Lending Pool',
      es: 'Panel de administración · Peer Lending Pool',
    },
  },
  {
    path: '/admin/audit',
    by: 'superAdmin',
    heading: 'Audit trail',
    title: {
      en: 'Audit trail · Peer Lending Pool',
      es: 'Registro de auditoría · Peer Lending Pool',
    },
  },
  {
    path: '/admin/mails',
    by: 'superAdmin',
    heading: 'Undelivered emails',
    title: {
      en: 'Undelivered emails · Peer Lending Pool',
      es: 'Correos sin entregar · Peer Lending Pool',
    },
  },
  {
    path: '/admin/rates',
    by: 'superAdmin',
    heading: 'Rates',
    title: { en: 'Rates · Peer Lending Pool', es: 'Precios · Peer Lending Pool' },
  },
  {
    path: '/admin/plans',
    by: 'superAdmin',
    heading: 'Plans',
    title: { en: 'Plans · Peer Lending Pool', es: 'Planes · Peer Lending Pool' },
  },
  {
    path: '/admin/networks',
    by: 'superAdmin',
    heading: 'Networks',
    title: { en: 'Networks · Peer Lending Pool', es: 'Redes · Peer Lending Pool' },
  },
  {
    path: '/admin/reconciliation',
    by: 'superAdmin',
    heading: 'Reconciliation',
    title: { en: 'Reconciliation · Peer Lending Pool', es: 'Conciliación · Peer Lending Pool' },
  },
  {
    path: '/admin/losses',
    by: 'superAdmin',
    heading: 'Losses',
    title: { en: 'Losses · Peer Lending Pool', es: 'Pérdidas · Peer Lending Pool' },
  },
  {
    path: '/admin/wind-down',
    by: 'superAdmin',
    heading: 'Wind-down',
    title: { en: 'Wind-down · Peer Lending Pool', es: 'Liquidación · Peer Lending Pool' },
  },
  {
    path: '/admin/today',
    by: 'superAdmin',
    heading: 'Today',
    title: { en: 'Today · Peer Lending Pool', es: 'Hoy · Peer Lending Pool' },
  },
  {
    path: '/admin/batches',
    by: 'superAdmin',
    heading: 'Batches',
    title: { en: 'Batches · Peer Lending Pool', es: 'Lotes · Peer Lending Pool' },
  },
  {
    path: '/admin/borrowers',
    by: 'superAdmin',
    heading: 'Borrowers',
    title: { en: 'Borrowers · Peer Lending Pool', es: 'Prestatarios · Peer Lending Pool' },
  },
]
