#!/bin/sh
# Certificates of etcd: certificates.sh DIRECTORY NAME=ADDRESS … makes those that are missing, for ten years.
# Keep ca.key apart. Each machine gets ca.crt, and NAME.crt and NAME.key of its own.
set -eu
umask 077
cd "$1"
shift
days=3650
curve='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
if [ ! -e ca.crt ]; then
  openssl req -x509 $curve -days $days -subj '/CN=etcd of the pool' -keyout ca.key -out ca.crt
fi
for machine; do
  name=${machine%%=*}
  address=${machine#*=}
  [ ! -e "$name.crt" ] || continue
  # A member is a server to some and a client to others. On one machine all come from 127.0.0.1.
  printf 'subjectAltName=IP:%s,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n' "$address" > "$name.ext"
  openssl req $curve -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days $days -extfile "$name.ext" -out "$name.crt"
  rm "$name.csr" "$name.ext"
done
