/** Requests about second factors that prove nothing. */
const id = '00000000-0000-7000-8000-000000000000'
const response = {
  id: 'none',
  rawId: 'none',
  type: 'public-key',
  response: { clientDataJSON: 'e30' },
  clientExtensionResults: {},
}

export const begin = { payload: { password: 'not this one' } }
export const confirmTotp = { payload: { enrolment: '', name: 'Phone', code: '000000' } }
export const confirmPasskey = { payload: { name: 'Key', response } }
export const passkeySignIn = { payload: { response } }
export const rename = { params: { id }, payload: { name: 'Phone' } }
export const remove = { params: { id } }
export const prove = { payload: { kind: 'RECOVERY_CODE', code: 'none' } }
