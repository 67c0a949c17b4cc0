#!/bin/sh
# Unload the AppArmor profile.
set -e
if [ "$1" = remove ] && command -v apparmor_parser >/dev/null; then
    apparmor_parser --remove /usr/share/pagelet/apparmor >/dev/null 2>&1 || :
fi
exit 0
