import type { KeyProblem } from '@pool/contract/chain/addressKeys'

export const keyProblems: Readonly<Record<KeyProblem, string>> = {
  private:
    'Es una clave privada, o sus palabras. Quien la lea puede llevarse todas las monedas. No la pegues nunca en ningún sitio. No se ha guardado. Mueve las monedas a una cartera nueva y pega la clave pública de esa.',
  underivable:
    'Ninguna clave pública de esta red da direcciones. Añade en su lugar una lista de direcciones.',
  unreadable:
    'No es la clave pública de una cuenta. Copia otra vez de la cartera el descriptor, o la clave que empieza por xpub o zpub.',
  checksum:
    'La suma de control de este descriptor no es correcta: falta o ha cambiado una parte. Cópialo otra vez de la cartera.',
  script:
    'Las direcciones de este tipo no se derivan. Usa el descriptor que empieza por wpkh, o una clave que empieza por zpub: segwit nativo.',
  branch: 'Este descriptor da direcciones de cambio. Usa el que termina en /0/* o /<0;1>/*.',
  depth:
    'No es la clave de una cuenta. Usa la de la ruta 84h/0h/0h en Bitcoin, 44h/60h/0h en las demás.',
  otherNetwork: 'Es una clave de otra red. Usa la clave de esta red.',
}
