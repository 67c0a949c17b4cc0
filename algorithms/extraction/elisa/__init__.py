"""elISA: rules in XML, compiled into a stylesheet that labels blocks."""
