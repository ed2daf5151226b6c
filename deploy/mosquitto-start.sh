#!/bin/sh
# Makes the password file and the access list from the environment, then becomes the broker.
# MQTT_DEVICES holds "name:password" pairs with spaces between; each device writes its own topics only.
set -eu
umask 077
: "${MQTT_SERVER_PASSWORD:?is not set}"
passwords=/mosquitto/data/passwords
rm -f "$passwords"
touch "$passwords"
mosquitto_passwd -b "$passwords" server "$MQTT_SERVER_PASSWORD"
for device in ${MQTT_DEVICES:-}; do
	mosquitto_passwd -b "$passwords" "${device%%:*}" "${device#*:}"
done
cat > /mosquitto/data/acl <<'ACL'
user server
topic readwrite #

pattern write marsad/+/%u/reading
pattern write marsad/+/%u/state
ACL
chown mosquitto:mosquitto "$passwords" /mosquitto/data/acl
exec mosquitto -c /mosquitto/config/mosquitto.conf
