#!/bin/sh
# Remove what dpkg does not know of: the profile, its compiled form, and what pip added.
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
    rm -rf /usr/lib/pagelet
    rm -f /etc/apparmor.d/pagelet /var/cache/apparmor/*/pagelet 2>/dev/null || :
fi
exit 0
